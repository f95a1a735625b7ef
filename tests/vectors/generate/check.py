"""check.py - the data is what the generators give, and has the form of schema.json."""

import json
import sys

import jsonschema
import make
from common import DATA


def main():
    schema = json.loads((DATA.parent / "schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failed = 0
    names = set()
    for family in make.FAMILIES:
        for file in family.files():
            names.add(file.name)
            path = DATA / file.name
            problems = []
            if not path.exists() or path.read_text() != file.text():
                problems.append("is not what its generator gives")
            else:
                document = json.loads(path.read_text())
                problems += [
                    f"{error.json_path}: {error.message}"
                    for error in validator.iter_errors(document)
                ]
                count = sum(len(group["tests"]) for group in document["testGroups"])
                if document["numberOfTests"] != count:
                    problems.append(
                        f"numberOfTests is {document['numberOfTests']}, there are {count}"
                    )
            for problem in problems[:5]:
                print(f"FAIL {file.name}: {problem}")
            failed += bool(problems)
    for path in sorted(DATA.glob("*")):
        if path.name not in names:
            print(f"FAIL {path.name}: no generator makes it")
            failed += 1
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
