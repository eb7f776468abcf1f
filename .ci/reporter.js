// What a run of tests came to, for .ci/run-tests.js: a reporter of vitest that writes each file with what passed and what failed in it, and the errors
// that came outside of a test, as JSON to COUNTERSIGN_TEST_REPORT.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const firstLine = (error) => String(error?.message ?? error).split('\n', 1)[0];

export default class {
  onTestRunEnd(modules, unhandled) {
    const files = modules.map((module) => {
      const counts = { passed: 0, failed: 0, skipped: 0 };
      const leftOut = [];
      const failures = module.errors().map((error) => `the file itself: ${firstLine(error)}`);
      for (const test of module.children.allTests()) {
        const { state, errors, note = '' } = test.result();
        // A test that has not ended belongs to a process that ended before it.
        counts[state === 'pending' ? 'failed' : state] += 1;
        if (state === 'failed') {
          failures.push(`${test.fullName}: ${firstLine(errors[0])}`);
        } else if (note.startsWith('left out as unsteady')) {
          leftOut.push(`${test.fullName}: ${note}`);
        }
      }
      for (const suite of module.children.allSuites()) {
        failures.push(...suite.errors().map((error) => `${suite.fullName}: ${firstLine(error)}`));
      }
      if (['pending', 'queued'].includes(module.state())) {
        failures.push('it did not end');
      }
      return { path: pathOf(module.moduleId), ...counts, failures, leftOut };
    });
    for (const error of unhandled) {
      const path = typeof error.VITEST_TEST_PATH === 'string' ? pathOf(error.VITEST_TEST_PATH) : undefined;
      files.find((file) => file.path === path)?.failures.push(`outside of a test: ${firstLine(error)}`);
    }
    // Where a process died its files did not end, and are named already.
    const known = files.some(({ failures }) => failures.includes('it did not end'));
    const nobodys = known ? [] : unhandled.filter((error) => !files.some(({ path }) => path === pathOf(error.VITEST_TEST_PATH ?? '')));
    writeFileSync(process.env.COUNTERSIGN_TEST_REPORT, JSON.stringify({ files, errors: nobodys.map(firstLine) }));
  }
}

const pathOf = (path) => relative(process.cwd(), path);
