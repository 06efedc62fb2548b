"""Judges the example scheduler. Run it from this directory: python3 -m pytest"""
from pytest_touchstone import conformance
from scheduler import decide


@conformance("v1.34", levels=["core", "ties"], features=["core"])
def example(question):
    return decide(question)
