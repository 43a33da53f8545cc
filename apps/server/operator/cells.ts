/** Says whether a cell gets new centers, and where servers find the database of a new one. */

import { isCellName, isDatabase } from '../config/setting-values.ts'
import { type CellRow, putCellRow } from '../data/known-cells.ts'
import { type Command, type Shell, UsageError } from './shell.ts'

const cellStates = ['open', 'closed'] as const

/** Roles and passwords are those of all databases, so the directory keeps neither. */
function withoutLogin(text: string): string {
  if (!isDatabase(text)) throw new UsageError(`URL must look like postgres://host:5432/database, not "${text}".`)
  const url = new URL(text)
  url.username = ''
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

async function putCell({ asOperator }: Shell, name = '', state = '', weight = '', url?: string): Promise<string> {
  if (!isCellName(name)) throw new UsageError('NAME can have only lowercase letters, digits and hyphens.')
  if (!cellStates.some((each) => each === state)) throw new UsageError(`STATE must be one of ${cellStates.join(', ')}.`)
  if (!/^\d{1,3}$/.test(weight)) throw new UsageError('WEIGHT must be a number from 0 to 999.')
  const at = url === undefined ? null : withoutLogin(url)
  await asOperator((tx) => putCellRow(tx, { name, state: state as CellRow['state'], weight: Number(weight), url: at }))
  const accepts = state === 'open' && weight !== '0' ? `gets new centers with weight ${weight}` : 'gets no new centers'
  return `The cell ${name} ${accepts}. Servers without it in CELLS open it within 30 seconds if they know its database.`
}

export const cellCommand: Command = {
  takes: 'NAME STATE WEIGHT [URL]',
  does: `open or close a cell for new centers (${cellStates.join(', ')}) and set its share of them; with URL, running servers open its database`,
  run: putCell,
}
