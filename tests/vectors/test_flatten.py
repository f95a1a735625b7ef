"""test_flatten.py - what is wrong with a file of vectors stops the reader. Standard library only."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GOOD = {
    "algorithm": "AES-GCM",
    "schema": "xorcore_vectors_v1",
    "license": "Apache-2.0",
    "numberOfTests": 2,
    "testGroups": [
        {
            "type": "AeadTest",
            "source": {"name": "a test"},
            "tagSize": 128,
            "tests": [
                {
                    "tcId": 1,
                    "result": "valid",
                    "key": "00" * 16,
                    "iv": "00" * 12,
                    "tag": "00" * 16,
                    "chunks": [[1, 2]],
                },
                {
                    "tcId": 2,
                    "result": "invalid",
                    "error": "AUTH",
                    "key": "00" * 16,
                    "iv": "00" * 12,
                },
            ],
        }
    ],
}


def flatten(*documents, raw=None, listed=None):
    """The program's exit status and what it said, for files put into a directory each."""
    with tempfile.TemporaryDirectory() as folder:
        folders = []
        for number, (name, document) in enumerate(documents):
            place = pathlib.Path(folder, str(number))
            place.mkdir()
            if name:
                (place / name).write_text(raw if raw is not None else json.dumps(document))
            folders.append(str(place))
        environment = {**os.environ, "XORCORE_VECTORS": ":".join(folders) if listed else ""}
        done = subprocess.run(
            [sys.executable, str(HERE / "flatten.py"), *([] if listed else folders)],
            capture_output=True,
            text=True,
            env=environment,
        )
        return done.returncode, done.stdout + done.stderr


class Flatten(unittest.TestCase):
    def refused(self, change, word):
        document = copy.deepcopy(GOOD)
        change(document, document["testGroups"][0], document["testGroups"][0]["tests"])
        status, said = flatten(("a.json", document))
        self.assertEqual(status, 1, said)
        self.assertIn(word, said)

    def test_good(self):
        for listed in (False, True):
            status, said = flatten(("a.json", GOOD), ("b.json", GOOD), listed=listed)
            self.assertEqual(status, 0, said)
            self.assertIn("file a.json AES-GCM 2\ngroup AeadTest 128\ntest 1\nsample\nkey h 00", said)
            self.assertTrue(said.endswith("end\n"))

    def test_bad(self):
        for word, change in (
            ("nobody reads", lambda d, g, t: t[0].update(surprise="00")),
            ("nobody reads", lambda d, g, t: g.update(keySize=128)),
            ("nobody reads", lambda d, g, t: d.update(surprise=1)),
            ("nobody reads", lambda d, g, t: t[0].update(nextIv="00")),
            ("comes twice", lambda d, g, t: t[1].update(tcId=1)),
            ("numberOfTests", lambda d, g, t: d.update(numberOfTests=3)),
            ("numberOfTests", lambda d, g, t: (d.update(numberOfTests=0), g.update(tests=[]))),
            ("without tests", lambda d, g, t: d["testGroups"].append({**g, "tests": []})),
            ("do not agree", lambda d, g, t: t[0].update(error="AUTH")),
            ("do not agree", lambda d, g, t: t[1].pop("error")),
            ("hex", lambda d, g, t: t[0].update(key="0G")),
            ("hex", lambda d, g, t: t[0].update(key="AA")),
            ("hex", lambda d, g, t: t[0].update(key="000")),
            (
                "neither",
                lambda d, g, t: t[0].update(key={"gen": "md5", "seed": "0" * 16, "len": 3}),
            ),
            ("ends in 0", lambda d, g, t: t[0].update(chunks=[[1, 0]])),
            ("dir", lambda d, g, t: t[0].update(dir="sideways")),
            ("tagSize", lambda d, g, t: g.pop("tagSize")),
            ("MacTest in a file of AES-GCM", lambda d, g, t: g.update(type="MacTest")),
            ("schema", lambda d, g, t: d.update(schema="another")),
        ):
            with self.subTest(word=word):
                self.refused(change, word)

    def test_files(self):
        self.assertEqual(flatten(("a.json", None), raw="{")[0], 1)
        self.assertIn("comes twice", flatten(("a.json", GOOD), ("a.json", GOOD))[1])
        self.assertIn("no *.json", flatten((None, None))[1])

    def test_splitmix64(self):
        sys.path.insert(0, str(HERE / "generate"))
        import common

        self.assertEqual(
            common.SplitMix64(0).bytes(20).hex(), "afcd1d7b39a820e2f465b9a16a9e786e4f450980"
        )
        self.assertIn(
            "`afcd1d7b39a820e2f465b9a16a9e786e4f450980`", (HERE / "README.md").read_text()
        )


if __name__ == "__main__":
    unittest.main()
