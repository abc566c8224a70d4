"""Tests the count at the end of `make test`: python3 Tests/House/run_test.py"""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import tempfile
import unittest

loader = importlib.machinery.SourceFileLoader("run", str(pathlib.Path(__file__).resolve().parents[1] / "run"))
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)

# Written by Swift 6.0.3 and 6.3.1.
REPORT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="TestResults" errors="0" tests="2" failures="1" skipped="2" time="0.002656532">
    <testcase classname="ATests" name="free()" time="0.000728957" />
    <testcase classname="ATests.A" name="four()" time="0.002318378">
      <skipped />
    </testcase>
    <testcase classname="ATests.A" name="three()" >
      <skipped>root may write every file</skipped>
    </testcase>
    <testcase classname="ATests.A" name="two(n:)" time="0.001826043">
      <failure message="Expectation failed: (n &#8594; 2) == 1" />
    </testcase>
  </testsuite>
</testsuites>
"""
# Printed by both; 6.0.3 has another sign for a skipped test.
OUTPUT = """◇ Test run started.
✘ Test "three is skipped" skipped: "root may write every file"
➜ Test "four is skipped" skipped.
✔ Test free() passed after 0.001 seconds.
✔ Test "one & passes" with 2 test cases passed after 0.001 seconds.
✘ Test "two fails" recorded an issue at A.swift:5:59: Expectation failed: (n → 2) == 1
✘ Test "two fails" failed after 0.001 seconds with 1 issue.
✘ Suite A failed after 0.002 seconds with 2 issues.
"""


class ResultTests(unittest.TestCase):
    def take(self, status, output="", report=None):
        results = run.Results()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "report.xml"
            if report is not None:
                file.write_text(report, encoding="utf-8")
            results.take_unit_tests(status, output.splitlines(), file)
        return results

    def summary(self, results, names=(), is_ci=False):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = run.summarise(results, names, is_ci)
        return status, printed.getvalue().splitlines()

    def test_report(self):
        results = self.take(1, report=REPORT)
        self.assertEqual((results.passed, results.failed), (1, ["ATests.A/two(n:)"]))
        self.assertEqual(results.skipped, [("ATests.A/four()", "no reason is given"),
                                           ("ATests.A/three()", "root may write every file")])

    def test_no_report(self):
        """Tests that end by a signal leave no report: their output counts, and the end is an additional failure."""
        results = self.take(-5, OUTPUT)
        self.assertEqual(results.passed, 2)
        self.assertEqual(results.failed, ['"two fails"', "unit tests: ended with status -5 before the last one"])

    def test_status_without_failure(self):
        results = self.take(1, report=REPORT.replace("<failure", "<system-out").replace("</failure", "</system-out"))
        self.assertEqual(results.failed, ["unit tests: exit status 1"])

    def test_checks(self):
        results = run.Results()
        results.take_check("A", 0, "fine")
        results.take_check("B", 77, "there is no such device")
        results.take_check("C", 2, "wrong")
        status, lines = self.summary(results)
        self.assertEqual(status, 1)
        self.assertEqual(lines[-3:], ["failed: C: exit status 2", "skipped: B: there is no such device (not in Tests/skips)",
                                      "1 passed, 1 failed, 1 skipped"])

    def test_skips(self):
        """A skip that is not listed fails only if CI is set."""
        results = run.Results()
        results.take_check("A/b(c:)", 77, "why")
        self.assertEqual(self.summary(results)[0], 0)
        self.assertEqual(self.summary(results, is_ci=True)[0], 1)
        self.assertEqual(self.summary(results, ["X", "A/*"], is_ci=True)[0], 0)
        self.assertEqual(self.summary(results, is_ci=True)[1][-1], "0 passed, 0 failed, 1 skipped")

    def test_list(self):
        self.assertIn("A stick is plugged in", run.permitted())
        self.assertFalse([name for name in run.permitted() if "#" in name])

    def test_command(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(run.run(["sh", "-c", "echo one; echo two; exit 3"]), (3, ["one", "two"]))
            self.assertEqual(run.run(["/no/such/command"])[0], 127)


unittest.main()
