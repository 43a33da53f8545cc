/**
 * A reporter for vitest: writes a Report to the file that CI_REPORT names. The JSON reporter of vitest leaves out what
 * fails outside a test: a hook, the loading of a file, an error that nothing caught. Such a run exits with 1 and names
 * no failure.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

type Failure = { file: string; name: string; message: string }
/** `leftOut` names the tests that were skipped on purpose, because the machine lacks something. */
export type Report = { passed: number; flaky: string[]; leftOut: string[]; failed: Failure[] }

const text = (errors: ReadonlyArray<{ message: string; stack?: string }>) =>
  errors.map((each) => each.stack ?? each.message).join('\n')

export default class CiReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const report: Report = { passed: 0, flaky: [], leftOut: [], failed: [] }
    const fail = (file: string, name: string, errors: Parameters<typeof text>[0]) =>
      report.failed.push({ file, name, message: text(errors) })
    for (const module of modules) {
      const file = relative('.', module.moduleId)
      for (const test of module.children.allTests()) {
        if (test.ok() && test.result().state === 'passed') report.passed++
        if (test.diagnostic()?.flaky) report.flaky.push(`${file}: ${test.fullName}`)
        const result = test.result()
        // A test that skips itself says why; those after a hook that failed don't.
        const note = result.state === 'skipped' ? result.note?.split('\n')[0] : undefined
        if (note !== undefined) report.leftOut.push(`${file}: ${test.fullName} (${note})`)
        else if (test.options.mode === 'skip') report.leftOut.push(`${file}: ${test.fullName}`)
        if (!test.ok()) fail(file, test.fullName, test.result().errors ?? [])
      }
      if (module.errors().length > 0) fail(file, 'outside its tests', module.errors())
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) fail(file, `${suite.fullName}: outside its tests`, suite.errors())
    }
    for (const error of unhandled)
      fail(relative('.', String(error.VITEST_TEST_PATH ?? '')), 'an error that nothing caught', [error as Error])
    if (process.env.CI_REPORT) writeFileSync(process.env.CI_REPORT, JSON.stringify(report))
  }
}
