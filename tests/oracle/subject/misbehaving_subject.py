"""A subject that answers well, except for question 3, where it does what its argument says. Tests of SubjectProcess start it."""
import fcntl, json, os, signal, subprocess, sys, time

mode = sys.argv[1]
out = sys.stdout.buffer


def say(text):
    out.write(text if isinstance(text, bytes) else text.encode())
    out.flush()


def answer(seq):
    say('{"seq":%s,"outcome":"none"}\n' % json.dumps(seq))


def leave_grandchild(session=False):
    """A process that ignores SIGTERM, holds our streams open, and tells its number in a file."""
    code = 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)'
    grandchild = subprocess.Popen([sys.executable, '-c', code], start_new_session=session)
    with open(sys.argv[2], 'w') as file:
        file.write(str(grandchild.pid))


def forever(what):
    while True:
        say(what)


def hang():
    time.sleep(600)


def at_question_3(seq):
    match mode:
        case 'crashes': raise RuntimeError('out of \x01 luck')
        case 'exits': os._exit(0)
        case 'exits-7': os._exit(7)
        case 'segfaults': os.kill(os.getpid(), signal.SIGSEGV)
        case 'hangs': hang()
        case 'hangs-with-grandchild': hang()
        case 'crashes-with-grandchild':
            leave_grandchild()
            os._exit(3)
        case 'hangs-with-runaway':
            if os.fork() == 0:  # this child ends at once, so the runaway has no parent
                leave_grandchild(session=True)
                os._exit(0)
            os.wait()
            hang()
        case 'crashes-with-runaway':
            leave_grandchild(session=True)
            os._exit(3)
        case 'garbage': say('what?\n')
        case 'blank-line': say('\n')
        case 'two-objects': say('{"seq":3} {"seq":3}\n')
        case 'list': say('[{"seq":3}]\n')
        case 'half-line':
            say('{"seq":3,"out')
            hang()
        case 'half-line-and-exit':
            say('{"seq":3,"out')
            os._exit(0)
        case 'long-line': say(b'{"seq":3,"x":"' + b'x' * 100_000_000 + b'"}\n')
        case 'endless': forever(b'x' * 65536)
        case 'not-utf-8': say(b'{"seq":3,"outcome":"\xff\xfe"}\n')
        case 'nul': say(b'{"seq":3,"outcome":"none"}\0\n')
        case 'deep': say('{"seq":3,"x":' + '[' * 100_000 + ']' * 100_000 + '}\n')
        case 'deep-and-open': say('[' * 100_000 + '\n')
        case 'other-seq': answer(4)
        case 'no-seq': say('{"outcome":"none"}\n')
        case 'text-seq': answer('3')
        case 'float-seq': answer(3.0)
        case 'null-seq': answer(None)
        case 'seq-twice': say('{"seq":4,"seq":3}\n')
        case 'inner-seq': say('{"x":{"seq":3}}\n')
        case 'answers-twice':
            say('{"seq":3,"outcome":"none"}\n{"seq":3,"outcome":"none"}\n')
        case 'answers-twice-late':
            answer(3)
            sys.stdin.readline()
            answer(3)
        case 'half-more': say('{"seq":3,"outcome":"none"}\n{')
        case 'stderr-flood':
            for _ in range(100): os.write(2, b'x' * 1_000_000)
            os.write(2, b'the end\n')
            answer(seq)
        case 'stderr-flood-and-crash':
            for _ in range(100): os.write(2, b'x' * 1_000_000)
            os.write(2, b'the end\n')
            os._exit(1)
        case 'never-reads': hang()
        case 'closes-stdin':
            os.close(0)
            hang()
        case 'closes-stdout':
            os.close(1)
            hang()
        case 'answers-and-exits':
            answer(3)
            os._exit(0)
        case 'much-and-exits':
            # While the first answer is being looked at, the second is put into the pipe, for many reads.
            fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
            say('{"seq":3,"x":[' + '1,' * 1_000_000 + '1]}\n')
            sys.stdin.readline()
            say('{"seq":4,"x":"' + 'x' * 800_000 + '"}\n')
            os._exit(0)
        case 'could-not-read': say('{"seq":null,"error":{"code":"json-malformed","path":"","message":"m"}}\n')
        case 'environment':
            import resource
            say(json.dumps({'seq': seq, 'fds': sorted(int(fd) for fd in os.listdir('/proc/self/fd'))[:-1],
                            'core': resource.getrlimit(resource.RLIMIT_CORE),
                            'session': os.getsid(0) == os.getpid(), 'arguments': sys.argv[2:],
                            'blocked': len(signal.pthread_sigmask(signal.SIG_BLOCK, []))}) + '\n')
        case _: answer(seq)


match mode:
    case 'slow-start': time.sleep(1.5)
    case 'banner': say('Welcome!\n')
    case 'json-banner': say('{"level":"info"}\n')
    case 'crashes-at-start': sys.exit('no license')
    case 'hangs-at-start': hang()
    case 'hangs-with-grandchild':
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        leave_grandchild()
for line in iter(sys.stdin.readline, ''):
    try:
        question = json.loads(line)
    except ValueError:
        say('{"seq":null,"error":{"code":"json-malformed","path":"","message":"m"}}\n')
        continue
    if question['cmd'] == 'hello':
        # At once, so that both lines are there when the first is read.
        more = 'ready\n' if mode == 'speaks-after-hello' else ''
        protocol = 2 if mode == 'other-protocol' else 1
        say('{"name":"m","version":"1","protocol":%d,"pid":%d}\n%s' % (protocol, os.getpid(), more))
    elif question['cmd'] == 'bye':
        if mode == 'notes-bye': open(sys.argv[2], 'w').write('bye')
        if mode == 'ignores-bye': hang()
        break
    elif mode == 'big-answers':
        say('{"seq":%d,"x":"%s"}\n' % (question['seq'], 'x' * 500_000))
    elif question['seq'] == 3:
        at_question_3(3)
    else:
        answer(question['seq'])
