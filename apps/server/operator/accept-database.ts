/** The command that accepts a promoted or restored database, with an audit entry about what was found. */
import { audit } from '../audit/audit.ts'
import { askedWitnesses } from '../features/evidence/transparency/api.ts'
import { acceptDatabase } from '../sealing/fence/accept.ts'
import type { AskedLogs } from '../sealing/fence/ask-witnesses.ts'
import { type Shell, UsageError } from './shell.ts'

const known = ['--with-loss', '--new-store', '--unsigned']

export async function acceptCommand(shell: Shell, name = '', ...given: readonly string[]): Promise<string> {
  const other = given.find((each) => !known.includes(each))
  if (other !== undefined) {
    throw new UsageError(`Unknown option "${other}". Use --with-loss, --new-store or --unsigned.`)
  }
  const has = (option: string) => given.includes(option)
  if (has('--unsigned') && !has('--new-store')) throw new UsageError('--unsigned can only be used with --new-store.')
  const { services, asOperator, progress } = shell
  const { cells, logBook, watching } = services
  if (!cells.all.some((each) => each.name === name)) {
    throw new UsageError(`CELL must be one of ${cells.all.map((each) => each.name).join(', ')}, not "${name}".`)
  }
  const store = logBook.fences.storeOf(name)
  if (!store)
    throw new UsageError("TLOG_FENCE doesn't name a fence store, so there's nothing to compare the database with.")
  const options = { withLoss: has('--with-loss'), newStore: has('--new-store'), unsigned: has('--unsigned') }
  const asked = askedWitnesses(watching.policy.witnesses)
  const accepted = await acceptDatabase(cells.of(name), store, logBook, options, asked.all, progress).finally(
    asked.close,
  )
  const { identity, wasCurrent, compared, lost, adopted, witnesses } = accepted
  const said = asked.all.length === 0 ? 'No witness is configured.' : saidBy(asked.all.length, witnesses)
  await asOperator((tx) =>
    audit(tx, {
      type: 'integrity.alarm',
      action: 'database_accepted',
      target: { type: 'cell', id: name },
      details: {
        identity,
        wasCurrent,
        compared,
        lost: lost.length,
        lostLogs: lost.join(' '),
        adopted,
        witnesses: said,
      },
    }),
  )
  const closed =
    lost.length === 0
      ? 'Nothing is lost.'
      : `These logs are missing entries and stay closed: ${lost.join(', ')}. If the entries can't be recovered, declare the loss with declare-loss ${name}.`
  return `The database of the cell "${name}" (${identity}) ${wasCurrent ? 'was already the current one' : 'is now the current one'}. Logs compared: ${compared}; heads new to the fence store: ${adopted}. ${said} ${closed}`
}

function saidBy(witnesses: number, { asked, ahead, silent }: AskedLogs): string {
  const more = ahead.map(({ witness, log, size }) => `${witness} has cosigned ${size} entries of ${log}`)
  const without = Array.from(silent, ([witness, count]) => `${witness} didn't respond about ${count}`)
  return `Witnesses asked: ${witnesses}, about ${asked} logs; ${[...more, ...without].join('; ') || 'none has seen more entries'}.`
}
