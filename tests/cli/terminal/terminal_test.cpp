#include "cli/terminal/terminal.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <sstream>
#include <thread>

#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/suggest.hpp"
#include "cli/terminal/text.hpp"

namespace touchstone::cli {

namespace {

using std::chrono::milliseconds;

/// A progress bar that draws on a string, with a clock that the test sets.
struct Bar {
  std::ostringstream stream;
  ProgressBar::Time now{};

  ProgressBar at(std::size_t width) {
    return ProgressBar(stream, width, [this] { return now; });
  }
  /// What was drawn since the last call.
  std::string drawn() {
    const std::string text = stream.str();
    stream.str("");
    return text;
  }
};

}  // namespace

TEST(Printable, KeepsText) {
  for (const char* text : {"", "prod/web-0", "naïve → 日本 🚀", "a\\nb"}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable(std::string_view("\0\a", 2)), "\\x00\\x07");
  EXPECT_EQ(printable("\x7f"), "\\u007f");
  EXPECT_EQ(printable("\u009b31m\u0085"), "\\u009b31m\\u0085");
  EXPECT_EQ(printable("\u202egnp.exe\u2028"), "\\u202egnp.exe\\u2028");
}

TEST(Printable, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff\x80z"), "\\xff\\x80z");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");                    // overlong
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdef", 5), "abcde...");
  EXPECT_EQ(printable("ab日本", 4), "ab...");
  EXPECT_EQ(printable("ab日本", 5), "ab日...");
}

TEST(Styled, EscapesOnlyWhereColored) {
  Terminal terminal;
  EXPECT_EQ(terminal.styled(Style::bad, "x\x1b"), "x\\x1b");
  terminal.colored = true;
  EXPECT_EQ(terminal.styled(Style::bad, "x\x1b"), "\x1b[31mx\\x1b\x1b[0m");
  EXPECT_EQ(terminal.styled(Style::bad, ""), "");
}

TEST(Table, AlignsByWhatIsSeen) {
  Terminal terminal;
  terminal.colored = true;
  EXPECT_EQ(displayed_width(terminal.styled(Style::strong, "né")), 2u);
  EXPECT_EQ(table(terminal, {{"ab", "x"}, {"né", "y"}, {"abc", ""}}), "ab   x\nné   y\nabc\n");
  EXPECT_EQ(table(terminal, {{"abc", "x"}, {terminal.styled(Style::good, "n"), "y"}}),
            "abc  x\n\x1b[32mn\x1b[0m    y\n");
}

TEST(Table, CountsTheRowsItLeavesOut) {
  const std::vector<Row> rows = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  EXPECT_EQ(cut_table({}, {"K", "V"}, rows, 2, "--all shows them"),
            "K  V\na  1\nb  2\n  and 1 more; --all shows them\n");
  EXPECT_EQ(cut_table({}, {}, rows, 3, "--all shows them"), "a  1\nb  2\nc  3\n");
}

TEST(Table, ContinuesRowsWhereTheTerminalIsTooNarrow) {
  const std::vector<Row> rows = {{"NODE", "A COLUMN OF FORTY CHARACTERS OF HEADINGS", "VICTIMS", "STATE"},
                                 {"n1", "a", "3", ""},
                                 {"n2", "b", "", ""}};
  EXPECT_EQ(table({.table_width = 59}, rows),
            "NODE  A COLUMN OF FORTY CHARACTERS OF HEADINGS  VICTIMS\n    STATE\n"
            "n1    a                                         3\n"
            "n2    b\n");
  EXPECT_EQ(table({.table_width = 50}, rows),
            "NODE  A COLUMN OF FORTY CHARACTERS OF HEADINGS\n    VICTIMS  STATE\n"
            "n1    a\n    3\n"
            "n2    b\n");
}

TEST(Table, BreaksSentencesAtSpacesAndNamesNowhere) {
  const std::string sentence = "a sentence that is longer than the line has room for";
  EXPECT_EQ(table({.table_width = 40}, {{"  1 node", sentence}, {"  2 nodes", "short"}}),
            "  1 node   a sentence that is longer\n"
            "           than the line has room for\n"
            "  2 nodes  short\n");
  EXPECT_EQ(table({.table_width = 24}, {{"  " + sentence}}),
            "  a sentence that is\n  longer than the line\n  has room for\n");
  const std::string name = "a-name-that-is-longer-than-the-line-has-room-for";
  EXPECT_EQ(table({.table_width = 40}, {{"1", name, "x"}}), "1\n    " + name + "\n    x\n");
}

TEST(Table, IsAsWideAsItNeedsWhereThereIsNoTerminal) {
  const std::string cell(200, 'x');
  EXPECT_EQ(table({}, {{cell, "a b", cell}}), cell + "  a b  " + cell + "\n");
}

TEST(Wrapped, BreaksAtSpacesOnly) {
  EXPECT_EQ(wrapped("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(wrapped("one\ntwo\n\nthree", 80, 0), "one two\n\nthree\n");
  EXPECT_EQ(wrapped("incomprehensible", 4, 1), " incomprehensible\n");
  EXPECT_EQ(wrapped("as is:\n  kubectl   get", 10, 1), " as is:\n   kubectl   get\n");
}

TEST(Nearest, FindsWhatWasMistyped) {
  const std::vector<std::string> names = {"decide", "rules", "releases"};
  EXPECT_EQ(nearest("dicide", names), "decide");
  EXPECT_EQ(nearest("ruels", names), "rules");
  EXPECT_EQ(nearest("release", names), "releases");
  EXPECT_EQ(nearest("dance", names), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), names), "");
}

TEST(Progress, ShowsNothingOfShortWork) {
  Bar bar;
  {
    ProgressBar progress = bar.at(80);
    bar.now += milliseconds(299);
    progress.update("cases", 1, 2);
  }
  EXPECT_EQ(bar.drawn(), "");
}

TEST(Progress, RedrawsTenTimesASecondAtMost) {
  Bar bar;
  ProgressBar progress = bar.at(80);
  bar.now += milliseconds(300);
  progress.update("cases", 500, 2000);
  EXPECT_EQ(bar.drawn(), "\rcases  [#####---------------]  25 %  500 of 2000  0:00, 0:00 left\x1b[K");
  bar.now += milliseconds(99);
  progress.update("cases", 501, 2000);
  EXPECT_EQ(bar.drawn(), "");
  bar.now += milliseconds(1);
  progress.update("cases", 2000, 2000);
  EXPECT_EQ(bar.drawn(), "\rcases  [####################]  100 %  2000 of 2000  0:00, 0:00 left\x1b[K");
}

TEST(Progress, ShowsElapsedAndRemainingTime) {
  Bar bar;
  ProgressBar progress = bar.at(80);
  bar.now += std::chrono::seconds(90);
  progress.update("cases", 1, 4);
  EXPECT_EQ(bar.drawn(), "\rcases  [#####---------------]  25 %  1 of 4  1:30, 4:30 left\x1b[K");
  bar.now += std::chrono::hours(1);
  progress.update("cases", 0, 4);
  EXPECT_EQ(bar.drawn(), "\rcases  [--------------------]  0 %  0 of 4  1:01:30\x1b[K");
}

TEST(Progress, ExpectsTheRestOfAPartByThePaceOfThatPart) {
  Bar bar;
  ProgressBar progress = bar.at(80);
  bar.now += std::chrono::seconds(60);
  progress.update("reading", 10, 10);
  progress.update("asking", 0, 100);
  bar.drawn();
  bar.now += std::chrono::seconds(5);
  progress.update("asking", 50, 100);
  EXPECT_EQ(bar.drawn(), "\rasking  [##########----------]  50 %  50 of 100  1:05, 0:05 left\x1b[K");
}

TEST(Progress, ShowsWhatWasToldLastWhileNothingMoreIsTold) {
  Bar bar;
  ProgressBar progress = bar.at(80);
  progress.update("theorems", 0, 4);
  bar.now += milliseconds(299);
  progress.tick();
  EXPECT_EQ(bar.drawn(), "");
  bar.now += milliseconds(1);
  progress.tick();
  EXPECT_EQ(bar.drawn(), "\rtheorems  [--------------------]  0 %  0 of 4  0:00\x1b[K");
  progress.show("the reference decides");
  bar.now += milliseconds(100);
  progress.tick();
  EXPECT_EQ(bar.drawn(), "\rthe reference decides\x1b[K");
  progress.erase();
  bar.now += milliseconds(100);
  progress.tick();
  EXPECT_EQ(bar.drawn(), "\r\x1b[K");
}

TEST(Progress, IsErasedAtTheEnd) {
  Bar bar;
  {
    ProgressBar progress = bar.at(80);
    bar.now += milliseconds(300);
    progress.update("cases", 1, 2);
    bar.drawn();
  }
  EXPECT_EQ(bar.drawn(), "\r\x1b[K");
}

TEST(Progress, StaysOnOneLine) {
  Bar bar;
  ProgressBar progress = bar.at(20);
  bar.now += milliseconds(300);
  progress.update("cases of\n\x1b[31m", 1, 0);
  EXPECT_EQ(bar.drawn(), "\r100 %  1 of 0  0:00\x1b[K");
  ProgressBar narrow = bar.at(18);
  bar.now += milliseconds(300);
  narrow.update("cases", 1, 1);
  EXPECT_EQ(bar.drawn(), "\r100 %  1 of 1\x1b[K");
}

TEST(Progress, IsErasedByInterrupts) {
  const auto work = [](int signal) {
    ProgressBar progress(Terminal{.redraws_errors = true});
    std::this_thread::sleep_for(milliseconds(400));  // no bar is shown earlier
    progress.update("cases", 1, 2);
    std::raise(signal);
  };
  EXPECT_EXIT(work(SIGINT), testing::KilledBySignal(SIGINT), "1 of 2 .*\x1b\\[K\r\x1b\\[K$");
  EXPECT_EXIT(work(SIGTERM), testing::KilledBySignal(SIGTERM), "1 of 2 .*\x1b\\[K\r\x1b\\[K$");
}

}  // namespace touchstone::cli
