/** The command that declares lost entries, so that their logs go on as the next generation. */
import { parseArgs } from 'node:util'
import { audit } from '../audit/audit.ts'
import { requireCenter } from '../features/centers/centers/api.ts'
import { declareLoss } from '../integrity/generations/declare.ts'
import { type Shell, UsageError } from './shell.ts'

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { reason: { type: 'string' }, by: { type: 'string' }, unsigned: { type: 'boolean' } },
    })
    const [cell = '', center, ...more] = positionals
    const [reason, by] = [values.reason?.trim(), values.by?.trim()]
    if (more.length > 0 || !reason || !by) throw new Error('give CELL, optionally CENTER, --reason TEXT and --by NAME')
    return { cell, center, reason, by, unsigned: values.unsigned ?? false }
  } catch (error) {
    throw new UsageError(`Wrong arguments for declare-loss: ${(error as Error).message}.`)
  }
}

const some = 20

export async function declareCommand(shell: Shell, ...args: readonly string[]): Promise<string> {
  const { cell: name, center, reason, by, unsigned } = readArguments(args)
  const { services, asOperator, progress, caller } = shell
  const { cells, logBook, centers, sequencer } = services
  if (!cells.all.some((each) => each.name === name)) {
    throw new UsageError(`CELL must be one of ${cells.all.map((each) => each.name).join(', ')}, not "${name}".`)
  }
  const store = logBook.fences.storeOf(name)
  if (!store)
    throw new UsageError("TLOG_FENCE doesn't name a fence store, so there's no record of what was signed and lost.")
  const found = center === undefined ? null : await asOperator((tx) => requireCenter(tx, center))
  if (found && (await centers.profile(found.id)).cell !== name) {
    throw new UsageError(`The center ${found.domain} isn't in the cell "${name}".`)
  }
  const needs = { cell: cells.of(name), store, book: logBook, centers, sequencer, caller }
  const declaration = { reason, declaredBy: by, center: found?.id ?? null, unsigned }
  const { declared, refused } = await declareLoss(needs, declaration, progress)
  await asOperator((tx) =>
    audit(tx, {
      type: 'integrity.alarm',
      action: 'loss_declared',
      target: { type: 'cell', id: name },
      details: { logs: declared.length, refused: refused.length, center: found?.id ?? null, reason, declaredBy: by },
    }),
  )
  const lines = declared.slice(0, some).map(({ centerId, domain, generation, restored, lost }) => {
    const entries = `${restored} of ${lost} entries restored, ${lost - restored} lost`
    return `  center ${centerId}, ${domain}: ${entries}; continues as generation ${generation}`
  })
  const more = declared.length > some ? [`  and ${declared.length - some} more`] : []
  const closed =
    refused.length === 0 ? [] : ['These logs stay closed:', ...refused.slice(0, some).map((each) => `  ${each}`)]
  return [`Losses declared: ${declared.length}.`, ...lines, ...more, ...closed].join('\n')
}
