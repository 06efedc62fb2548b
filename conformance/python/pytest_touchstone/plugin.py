"""The pytest plug-in: a test item for each case of a function that is decorated with @conformance."""
import pytest

from pytest_touchstone.suite import ConformanceError, Suite, text_of


def pytest_pycollect_makeitem(collector, name, obj):
    suite = getattr(obj, "__touchstone__", None)
    if isinstance(suite, Suite):
        return Scheduler.from_parent(collector, name=name, suite=suite)
    return None


class Plain:
    """Shows the text of a failure without a traceback."""

    def repr_failure(self, excinfo):
        return str(excinfo.value) if isinstance(excinfo.value, ConformanceError) else super().repr_failure(excinfo)


class Scheduler(Plain, pytest.Collector):
    """The cases of one scheduler. They are judged together, when the first of them runs."""

    def __init__(self, suite, **options):
        super().__init__(**options)
        self.suite = suite
        self.judged = None

    def collect(self):
        claimed = {}  # level to the number of cases that are judged
        for level, case, missing in self.suite.cases():
            claimed[level] = claimed.get(level, 0) + (not missing)
            yield Case.from_parent(self, name=f"{level}/{case}", level=level, case=case, missing=missing)
        yield Run.from_parent(self, name="run", claimed=claimed)

    def report(self):
        if self.judged is None:
            chosen = {item.case for item in self.session.items if item.parent is self and isinstance(item, Case)}
            try:
                self.judged = self.suite.report(chosen.pop() if len(chosen) == 1 else None)
            except ConformanceError as error:
                self.judged = error
        if isinstance(self.judged, ConformanceError):
            raise self.judged
        return self.judged


class Item(Plain, pytest.Item):
    def reportinfo(self):
        code = self.parent.suite.scheduler.__code__
        return self.path, code.co_firstlineno - 1, f"{self.parent.name}[{self.name}]"


class Case(Item):
    """The verdict on one case."""

    def __init__(self, level, case, missing, **options):
        super().__init__(**options)
        self.level, self.case, self.missing = level, case, missing

    def runtest(self):
        if self.missing:
            pytest.skip("the scheduler does not claim " + ", ".join(self.missing))
        report = self.parent.report()
        verdicts = next((each["results"] for each in report["levels"] if each["level"] == self.level), {})
        if self.case not in verdicts:
            raise ConformanceError("touchstone conform did not judge this case")
        for failure in report["failures"]:
            if (failure["level"], failure["case"]) != (self.level, self.case):
                continue
            if "knownFailure" in failure:
                pytest.skip("known failure: " + report["known"][failure["knownFailure"]]["reason"])
            raise ConformanceError(text_of(failure, report["smallest"].get(failure.get("clause"))))


class Run(Item):
    """A test that fails for levels without a case to judge, and for known failures that pass or are expired."""

    def __init__(self, claimed, **options):
        super().__init__(**options)
        self.claimed = claimed

    def runtest(self):
        wrong = [f"level {level}: the scheduler does not claim the features of any case"
                 for level, cases in self.claimed.items() if cases == 0 and self.parent.suite.levels]
        if not any(self.claimed.values()):
            wrong.append("no case was judged")
        for known in self.parent.report()["known"]:
            if known["problem"]:
                wrong.append(f"known failure ({known['reason']}): {known['problem']}")
        if wrong:
            raise ConformanceError("\n".join(wrong))
