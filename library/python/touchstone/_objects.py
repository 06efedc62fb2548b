"""Kubernetes objects as JSON: dicts, and objects of the kubernetes client."""

import datetime
import json
from typing import Any


def plain(value: Any) -> Any:
    """An object as an API server serves it. Objects of the kubernetes client know the names of their fields in JSON
    (`attribute_map`); their members that are None are left out, as the client does when it sends them."""
    names = getattr(type(value), "attribute_map", None)
    if names is not None:
        members = ((names[attribute], getattr(value, attribute)) for attribute in type(value).openapi_types)
        return {name: plain(member) for name, member in members if member is not None}
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            value = value.replace(tzinfo=datetime.timezone.utc)
        return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    return value


def encoded(value: Any) -> bytes:
    """JSON as the library reads it. Text is taken as it is."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return json.dumps(plain(value)).encode()


def with_lists(cluster: Any) -> Any:
    """A cluster whose lists may be List objects (`V1PodList`, or a dict with `items`)."""
    if not isinstance(cluster, dict):
        return cluster
    return {key: items_of(value) for key, value in cluster.items()}


def items_of(value: Any) -> Any:
    if isinstance(value, dict) and isinstance(value.get("items"), list):
        return value["items"]
    return value.items if hasattr(type(value), "attribute_map") and hasattr(value, "items") else value
