#!/usr/bin/python3
"""Tests the count at the end of `make test`, and how its jobs run: Tests/run House/run_test.py"""

import pathlib
import tempfile
import unittest

from runner import jobs
from runner.results import Results, over_budget, permitted, summary

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


class RunTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.logs, jobs.LOGS = jobs.LOGS, pathlib.Path(self.folder.name)
        self.addCleanup(lambda: setattr(jobs, "LOGS", self.logs))

    def ended(self, status, output="", report=None, name="ATests"):
        """A job of unit tests that has ended."""
        job = jobs.Job(name, name, [], jobs.LOGS / f"{name}.xml", status)
        job.log.write_text(output, encoding="utf-8")
        if report is not None:
            job.report.write_text(report, encoding="utf-8")
        return job

    def take(self, *ended):
        results = Results()
        for job in ended:
            results.take(job)
        return results

    def run_jobs(self, *jobs_to_run, cores=2):
        order = []
        jobs.run_all(jobs_to_run, order.append, cores)
        return order

    def test_report(self):
        results = self.take(self.ended(1, report=REPORT))
        self.assertEqual((results.passed, results.failed), (1, ["ATests.A/two(n:)"]))
        self.assertEqual(results.skipped, [("ATests.A/four()", "no reason is given"),
                                           ("ATests.A/three()", "root may write every file")])
        self.assertAlmostEqual(results.suites["ATests.A"], 0.002318378 + 0.001826043)

    def test_no_report(self):
        """Tests that end by a signal leave no report: their output counts, and the end is an additional failure."""
        results = self.take(self.ended(-5, OUTPUT))
        self.assertEqual(results.passed, 2)
        self.assertEqual(results.failed, ['"two fails"', "ATests: ended with status -5 before the last test"])

    def test_status_without_failure(self):
        report = REPORT.replace("<failure", "<system-out").replace("</failure", "</system-out")
        self.assertEqual(self.take(self.ended(1, report=report)).failed, ["ATests: exit status 1"])

    def test_checks(self):
        words = {"A": "echo fine", "B": "echo there is no such device; exit 77", "C": "echo wrong; exit 2", "D": "kill -9 $$"}
        done = self.run_jobs(*(jobs.Job(name, name, ["sh", "-c", command]) for name, command in words.items()),
                             jobs.Job("E", "E", ["/no/such/command"]))
        lines, status = summary(self.take(*sorted(done, key=lambda job: job.name)), (), False)
        self.assertEqual(status, 1)
        self.assertEqual(lines, ["failed: C: exit status 2", "failed: D: exit status -9", "failed: E: exit status 127",
                                 "skipped: B: there is no such device (not in Tests/skips)", "1 passed, 3 failed, 1 skipped"])

    def test_skips(self):
        """A skip that is not listed fails only if CI is set."""
        results = Results()
        results.skipped.append(("A/b(c:)", "why"))
        self.assertEqual(summary(results, [], False)[1], 0)
        self.assertEqual(summary(results, [], True)[1], 1)
        self.assertEqual(summary(results, ["X", "A/*"], True)[1], 0)
        self.assertEqual(summary(results, [], True)[0][-1], "0 passed, 0 failed, 1 skipped")

    def test_list(self):
        self.assertIn("A stick is plugged in", permitted())
        self.assertFalse([name for name in permitted() if "#" in name])
        titles = {job.title for job in jobs.every_job()}
        self.assertEqual([name for name in permitted() if "/" not in name and name not in titles], [])

    def test_programs(self):
        """Every check is a program, every folder of unit tests a target, and every job has a budget."""
        for name in jobs.CHECKS:
            self.assertTrue(jobs.program(name).stat().st_mode & 0o111, name)
        manifest = (jobs.ROOT / "Package.swift").read_text(encoding="utf-8")
        for name in jobs.targets():
            self.assertRegex(manifest, rf'tests\(\s*"{name}"')
        self.assertEqual([job.name for job in jobs.every_job() if job.name not in jobs.figures()], [])

    def test_cores(self):
        """Each core has a job, and jobs of one core wait for each other."""
        meet = f"{self.folder.name}/meet"
        both = [jobs.Job(name, name, ["sh", "-c", f"mkfifo {meet} 2>/dev/null; {command}"])
                for name, command in (("A", f"echo >{meet}"), ("B", f"read x <{meet}"))]
        self.assertEqual([job.status for job in self.run_jobs(*both)], [0, 0])
        alone = [jobs.Job(name, name, ["sh", "-c", f"mkdir {meet}.d && rmdir {meet}.d"]) for name in "ABCDEFGH"]
        self.assertEqual([job.status for job in self.run_jobs(*alone, cores=1)], [0] * 8)

    def test_hang(self):
        """A job that hangs is ended with its children, and fails."""
        longest, jobs.HANG_SECONDS = jobs.HANG_SECONDS, 0
        self.addCleanup(lambda: setattr(jobs, "HANG_SECONDS", longest))
        job, = self.run_jobs(jobs.Job("A", "A", ["sh", "-c", "sleep 1000 & wait"]))
        self.assertEqual(job.status, -9)
        self.assertIn("hangs", job.lines()[-1])

    def test_budget(self):
        """A slow machine is slow for all; a job that alone is slow is named."""
        budget = {name: (20, 20) for name in "ABCD"}
        def run(**cpu):
            return over_budget([jobs.Job(name, name, [], cpu=seconds) for name, seconds in cpu.items()], budget)
        self.assertEqual(run(A=40, B=40, C=42, D=38, E=900), [])
        over, = run(A=20, B=20, C=20, D=40)
        self.assertTrue(over.startswith("over budget: D took 40 s"), over)


unittest.main(argv=["run_test"])
