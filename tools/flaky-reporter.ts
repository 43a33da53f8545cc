/** A reporter for vitest: appends the name of every test that passed only on a retry to the file that FLAKY_FILE names. */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase } from 'vitest/node'

export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const file = process.env.FLAKY_FILE
    if (file && test.diagnostic()?.flaky)
      appendFileSync(file, `${relative('.', test.module.moduleId)}: ${test.fullName}\n`)
  }
}
