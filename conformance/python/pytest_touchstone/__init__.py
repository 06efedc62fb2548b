"""Judges a scheduler, a function in Python, by the conformance suites of Touchstone (docs/test-your-scheduler.md)."""
from pytest_touchstone.suite import ConformanceError, Suite, Unsupported

__all__ = ["ConformanceError", "Unsupported", "conformance"]


def conformance(release, **options):
    """Makes a function that answers questions a group of tests: one for each case of a release's suites.

        @conformance("v1.34", levels=["core"])
        def my_scheduler(question):
            return {"outcome": "none"}

    A question is a dict with the objects of Kubernetes, and an answer is a dict, both as in spec/protocol.md; `seq` is
    added to the answer. A scheduler that raises Unsupported skips the question. Options:

    levels    levels to judge; default: all
    features  what the scheduler supports, as in docs/conformance.md; default: ["core"]
    known     file of known failures
    version   version of the scheduler, for `until` in the file of known failures
    timeout   seconds until the scheduler counts as hung; default: 10
    vectors   file or directory of vectors, which are judged in place of the suites
    binary    the touchstone binary; default: $TOUCHSTONE, then "touchstone" in PATH
    """
    def decorate(scheduler):
        scheduler.__touchstone__ = Suite(scheduler, release, **options)
        return scheduler
    return decorate
