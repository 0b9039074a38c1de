"""Puts texts that once broke the emulator among the samples that schemathesis makes for request bodies."""

import json
import os
import random

import schemathesis

with open(os.environ["HOSTILE_TEXTS"], encoding="utf-8") as file:
    TEXTS = json.load(file)


def replaced(value, chance):
    if isinstance(value, dict):
        return {name: replaced(inner, chance) for name, inner in value.items()}
    if isinstance(value, list):
        return [replaced(inner, chance) for inner in value]
    return chance.choice(TEXTS) if isinstance(value, str) and chance.random() < 0.2 else value


@schemathesis.hook
def map_body(context, body):
    if not isinstance(body, (dict, list)):
        return body
    # From the sample itself, so that a seed repeats a run.
    return replaced(body, random.Random(repr(body)))
