#!/usr/bin/python3
"""Validates YAML files against a JSON Schema, as an editor would.

usage: schema.py SCHEMA FILE...
       schema.py --examples SCHEMA REFERENCE

The second takes the example of every key out of a reference that assay schema
--format=markdown printed. Prints "ok FILE" or "bad FILE: why" for each file; exit 0 when it could.
Scalars are typed after the core schema of YAML 1.2: true, false, null,
numbers, else text.
"""
import json
import re
import sys

import jsonschema
import yaml


class Core(yaml.SafeLoader):
    """YAML 1.2 core schema: no yes/no, no dates, no sexagesimals."""


Core.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$",
     "-+.0123456789"),
):
    Core.add_implicit_resolver("tag:yaml.org,2002:" + tag,
                               re.compile(pattern), list(first))


def why(error):
    """The most telling of the errors behind an anyOf."""
    while error.context:
        error = max(error.context, key=lambda e: len(e.absolute_path))
    place = "/".join(str(p) for p in error.absolute_path)
    return "%s: %s" % (place or "(top)", error.message.splitlines()[0][:120])


def load_schema(name):
    with open(name, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def examples(schema, name):
    """Each example holds its key, with a value that the schema takes."""
    with open(name, encoding="utf-8") as f:
        text = f.read()
    table = key = None
    pattern = re.compile(r"^### (\S+)$|^\*\*`([^`]+)`\*\* takes"
                         r"|^```yaml\n(.*?)\n```$", re.M | re.S)
    wanted = seen = 0
    for match in pattern.finditer(text):
        if match.group(1):
            table = match.group(1)
        elif match.group(2):
            key = match.group(2)
            wanted += 1
        else:
            seen += 1
            data = yaml.load(match.group(3), Loader=Core)
            rule = {"$ref": "#/$defs/%s/properties/%s" % (table, key),
                    "$defs": schema["$defs"]}
            error = "it does not hold the key" if key not in data else \
                jsonschema.exceptions.best_match(
                    jsonschema.Draft202012Validator(rule)
                    .iter_errors(data[key]))
            if error:
                print("bad %s %s: %s" % (table, key, error))
    print("%d of %d keys have an example" % (seen, wanted))


def main():
    if sys.argv[1] == "--examples":
        examples(load_schema(sys.argv[2]), sys.argv[3])
        return
    schema = load_schema(sys.argv[1])
    validator = jsonschema.Draft202012Validator(schema)
    for name in sys.argv[2:]:
        try:
            with open(name, encoding="utf-8") as f:
                data = yaml.load(f, Loader=Core)
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as e:
            print("bad %s: %s" % (name, str(e).splitlines()[0]))
            continue
        error = jsonschema.exceptions.best_match(validator.iter_errors(data))
        if error:
            print("bad %s: %s" % (name, why(error)))
        else:
            print("ok %s" % name)


main()
