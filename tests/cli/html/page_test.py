"""Opens pages of --html in a headless Chromium, and checks what it draws.

usage: page_test.py TOUCHSTONE
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
TEMPLATE = "cli/html/page.html"
DECIDE = ["decide", "-f", "examples/training-job.json", "--pod", "prod/web-0", "--release", "v1.34"]
SCHEDULE = ["schedule", "-f", "examples/scores/two-zones.yaml", "--pod", "shop/web-3", "--release", "v1.34"]
CONFORM = ["conform", "--release", "v1.34.4", "--levels", "ties,pdb", "--repeats", "1"]
# What a test does on the page once it is drawn: `done` gets the value that the test reads.
SCRIPT = "<script>addEventListener('load', () => {{ document.body.textContent = JSON.stringify((() => {{ {0} }})()); }});</script>"


def chromium(page, script, anchor="", dark=False):
    """The value that a script returns on a page."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "page.html")
        with open(path, "w", encoding="utf-8") as out:
            out.write(page.replace("</body>", SCRIPT.format(script) + "</body>"))
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + scratch, "--dump-dom"]
        if dark:
            command.append("--blink-settings=preferredColorScheme=0")
        ran = subprocess.run(command + ["file://" + path + anchor], capture_output=True, text=True, timeout=120, check=True)
    body = re.search(r"<body>(.*)</body>", ran.stdout, re.S).group(1)
    for escaped, plain in (("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u00a0"), ("&amp;", "&")):
        body = body.replace(escaped, plain)
    return json.loads(body)


def written(arguments, subject=(), exit_code=0):
    """The page that a command writes."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "page.html")
        ran = subprocess.run([PROGRAM, *arguments, "--html", path, *subject], stdout=subprocess.DEVNULL, check=False)
        if ran.returncode != exit_code:
            raise AssertionError(f"{arguments} has exit code {ran.returncode}")
        with open(path, encoding="utf-8") as page:
            return page.read()


def report_of(page):
    return json.loads(re.search(r'<script id="report" type="application/json">(.*?)</script>', page, re.S).group(1))


def drawn(report):
    """The page of a report, as html_page() makes it."""
    with open(TEMPLATE, encoding="utf-8") as template:
        return template.read().replace("@REPORT@", json.dumps(report).replace("<", "\\u003c"))


def many_cases(number):
    """A report of many cases: those of an even number conform, the others break a rule."""
    case = report_of(written(DECIDE))["cases"][0]
    cases = []
    for i in range(number):
        bad = i % 2 == 1
        cases.append({**case, "name": f"core/{i}", "group": "Core", "state": "bad" if bad else "good",
                      "verdict": "violates" if bad else "conforms"})
        if bad:
            cases[-1]["clause"] = "PRE-NODE-1" if i % 4 == 1 else "PRE-NODE-2"
            cases[-1]["given"] = {"outcome": "nominated", "node": "gpu-a", "victims": ["batch/train-0"]}
            cases[-1]["differences"] = [{"key": "node", "ours": '"gpu-c"', "given": '"gpu-a"'}]
    return {"title": "conform", "cases": cases, "clauses": {"PRE-NODE-1": {"title": "fewest violations", "text": "The rule."}}}


NODES = """return [...document.querySelectorAll('.node')].map(node => ({
  name: node.querySelector('h4').firstChild.data,
  badges: [...node.querySelectorAll('.badge')].map(each => each.textContent),
  evicted: [...new Set([...node.querySelectorAll('.victim')].map(each => each.title.split(':')[0]))],
  might: [...new Set([...node.querySelectorAll('.might')].map(each => each.title.split(':')[0]))],
  over: [...node.querySelectorAll('.over')].length}));"""


class Pages(unittest.TestCase):
    def test_decide_draws_the_victims_on_the_chosen_node(self):
        nodes = {node["name"]: node for node in chromium(written(DECIDE), NODES)}
        self.assertEqual(list(nodes), ["gpu-c", "gpu-b", "gpu-a", "cpu-a", "gpu-d"])
        self.assertEqual(nodes["gpu-c"]["badges"], ["preempted here"])
        self.assertEqual(nodes["gpu-c"]["evicted"], ["batch/notebook-1"])
        self.assertEqual(nodes["gpu-c"]["over"], 0, "with the evictions the pod fits")
        self.assertEqual(nodes["gpu-a"]["badges"], ["candidate"])
        self.assertEqual((nodes["gpu-a"]["evicted"], nodes["gpu-a"]["might"]), ([], ["batch/train-0"]))
        self.assertEqual(nodes["cpu-a"]["over"], 2, "too little cpu, and no GPU")

    def test_decide_shows_at_which_criterion_each_candidate_is_eliminated(self):
        rows = chromium(written(DECIDE), """return [...document.querySelectorAll('tbody tr')].map(row =>
            [row.cells[0].textContent, [...row.cells].findIndex(cell => cell.className === 'lost'), row.className]);""")
        self.assertEqual(rows, [["gpu-c", -1, "chosen"], ["gpu-b", 1, ""], ["gpu-a", 1, ""]])

    def test_schedule_shows_the_scores_of_each_node(self):
        rows = chromium(written(SCHEDULE), """return [...document.querySelectorAll('table tr')].map(row =>
            [...row.cells].map(cell => cell.textContent));""")
        self.assertEqual(rows[0][:3], ["Node", "Total", "TaintToleration"])
        self.assertEqual([row[:2] for row in rows[1:]], [["b1", "624"], ["a2", "486"], ["a3", "486"], ["a1", "461"]])
        self.assertEqual(rows[1][rows[0].index("PodTopologySpread")], "200")

    def test_explain_has_its_sentences_with_their_clauses(self):
        page = written(["explain", *DECIDE[1:]])
        self.assertIn(["PRE-NODE-1"], chromium(page, """return [...document.querySelectorAll('tbody tr')].map(row =>
            [row.cells[row.cells.length - 1].textContent]);"""))

    def test_bars_have_the_widths_of_the_amounts(self):
        widths = chromium(written(DECIDE), """const bar = document.querySelector('.node .bar');
            return [...bar.querySelectorAll('i')].map(each => [each.title.split(':')[0].split(' ')[0], each.style.width]);""")
        # gpu-c has 8 cpu: 1 + 4 + 2 + ... are requested, and 4 more are wanted, so that the bar is as long as both.
        total = sum(float(width.rstrip("%")) for _, width in widths)
        self.assertAlmostEqual(total, 100, places=3)
        self.assertEqual(widths[-1][0], "prod/web-0")

    def test_a_hostile_name_stays_text(self):
        report = many_cases(1)
        evil = "</script><img src=x onerror=\"document.title='owned'\"><!--"
        report["cases"][0]["name"] = evil
        report["cases"][0]["picture"]["nodes"][0]["pods"][0]["name"] = evil
        heading, images = chromium(drawn(report), """return [document.querySelector('h2').textContent,
            document.images.length];""")
        self.assertEqual((heading, images), (evil, 0))

    def test_a_hostile_pod_of_the_input_stays_text(self):
        evil = "</script><b id=owned>"
        with open("examples/training-job.json", encoding="utf-8") as example:
            cluster = json.load(example)
        for item in cluster["items"]:
            if item["kind"] == "Node":
                item.setdefault("spec", {}).setdefault("taints", []).append(
                    {"key": "k", "value": evil, "effect": "PreferNoSchedule"})
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "cluster.json")
            with open(path, "w", encoding="utf-8") as out:
                json.dump(cluster, out)
            page = written(["decide", "-f", path, *DECIDE[3:]])
        self.assertEqual(chromium(page, "return [document.getElementById('owned') === null, document.querySelectorAll('.node').length];"), [True, 5])

    def test_loads_nothing_from_elsewhere(self):
        page = written(DECIDE)
        self.assertEqual(chromium(page, "return performance.getEntriesByType('resource').length;"), 0)
        self.assertIn("default-src 'none'", page)
        self.assertNotRegex(page, r"(src|href)\s*=")

    def test_of_ten_thousand_cases_only_those_in_sight_have_a_row(self):
        page = drawn(many_cases(10000))
        rows, count, heading = chromium(page, """return [document.querySelectorAll('.row').length,
            document.getElementById('count').textContent, document.querySelector('h2').textContent];""", "#core%2F7001")
        self.assertLess(rows, 100)
        self.assertEqual((count, heading), ("10000 cases", "core/7001"))

    def test_conform_shows_the_levels_and_first_the_cases_that_fail(self):
        page = written(CONFORM, ["--", "python3", "examples/subjects/naive.py"], 1)
        levels, verdict, rule, nodes, sides, command = chromium(page, """const table = document.querySelector('#summary table');
            return [[...table.querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell => cell.textContent).slice(0, 2)),
              document.querySelector('.verdict').className, document.querySelector('.rule') !== null,
              document.querySelectorAll('.node').length,
              [...document.querySelectorAll('#case summary')].map(each => each.textContent),
              document.querySelector('#case pre').textContent];""")
        self.assertEqual(levels, [["Ties", "fails"], ["PDB", "not claimed"]])
        self.assertEqual((verdict, rule), ("verdict bad", True))
        self.assertGreater(nodes, 0)
        self.assertEqual(sides, ["Answer of the reference", "Answer of the subject", "Question"])
        self.assertIn("touchstone conform --release v1.34.4 --case ", command)
        report = report_of(page)
        self.assertIn("pdbs", report["notes"][-1])
        states = [case["state"] for case in report["cases"]]
        self.assertEqual(states, sorted(states), "bad before good")
        self.assertIn("good", states)

    def test_conform_draws_the_cases_of_a_subject_that_passes(self):
        page = written(CONFORM, ["--", PROGRAM, "subject"])
        nodes, verdict = chromium(page, "return [document.querySelectorAll('.node').length, document.querySelector('.verdict').className];")
        self.assertGreater(nodes, 1)
        self.assertEqual(verdict, "verdict good")
        self.assertEqual({case["state"] for case in report_of(page)["cases"]}, {"good"})

    def test_searches_and_filters_cases(self):
        page = drawn(many_cases(12))
        self.assertEqual(chromium(page, """const clause = document.getElementById('clause');
            clause.value = 'PRE-NODE-1'; clause.dispatchEvent(new Event('change'));
            return [document.getElementById('count').textContent, document.querySelector('h2').textContent,
                    document.querySelector('.rule').textContent];"""), ["3 of 12 cases", "core/1", "The rule."])
        self.assertEqual(chromium(page, """const search = document.getElementById('search');
            search.value = 'CORE/11'; search.dispatchEvent(new Event('input'));
            return document.getElementById('count').textContent;"""), "1 of 12 cases")
        self.assertEqual(chromium(page, """const search = document.getElementById('search');
            search.value = 'nothing-has-this'; search.dispatchEvent(new Event('input'));
            return document.getElementById('case').textContent;"""), "No case matches.")

    def test_shows_both_sides_of_a_difference(self):
        page = drawn(many_cases(2))
        nodes = {node["name"]: node for node in chromium(page, NODES, "#core%2F1")}
        self.assertEqual(nodes["gpu-a"]["badges"], ["candidate", "chosen by the subject"])
        self.assertEqual(nodes["gpu-a"]["evicted"], ["batch/train-0"])

    def test_is_moved_through_by_the_keyboard(self):
        press = """const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
            const seen = [];
            for (const key of ['j', 'ArrowDown', 'ArrowDown', 'k', 'ArrowUp', 'ArrowUp', 'k']) {
              press(key); seen.push(document.querySelector('h2').textContent); }
            press('/'); return [seen, document.activeElement.id, location.hash];"""
        seen, focus, anchor = chromium(drawn(many_cases(3)), press)
        self.assertEqual(seen, ["core/1", "core/2", "core/2", "core/1", "core/0", "core/0", "core/0"])
        self.assertEqual((focus, anchor), ("search", "#core%2F0"))

    def test_has_a_dark_mode_with_readable_text(self):
        colours = chromium(drawn(many_cases(1)), """const of = () => {
              const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]; };
            const root = document.documentElement.dataset; const first = of(); const begun = root.theme;
            document.getElementById('theme').click(); return [begun, first, root.theme, of()];""")
        self.assertEqual({colours[0], colours[2]}, {"light", "dark"})
        self.assertNotEqual(colours[1][0], colours[3][0])
        for ground, text in (colours[1], colours[3]):
            self.assertGreater(contrast(ground, text), 7)


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    """The contrast of two colours, as WCAG defines it."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


if __name__ == "__main__":
    unittest.main()
