/** Drafts of workflows call people by the end of their id. Whoever knows a person's name elsewhere in the center learns who that is. */
import type { Caller, Directory } from '../../../data/directory.ts'
import { membersLabeled } from './queries.ts'

const label = /…([0-9a-f]{8})\b/g
const maxLabels = 1000

/**
 * A label that two members share stays unnamed: it would name the wrong one. `known` keeps, of these people, those whose names
 * the caller sees elsewhere.
 */
export async function peopleIn(
  directory: Directory,
  caller: Caller,
  text: string,
  known: (actorIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<{ label: string; name: string }[]> {
  const labels = [...new Set(Array.from(text.matchAll(label), ([, end]) => end as string))].slice(0, maxLabels)
  if (labels.length === 0) return []
  const found = Map.groupBy(
    await directory.asCenter(caller, (tx) => membersLabeled(tx, labels), 'read'),
    (member) => member.label,
  )
  const single = labels.flatMap((end) => {
    const [member, ...others] = found.get(end) ?? []
    return member && others.length === 0 ? [member] : []
  })
  const shown = await known(single.map(({ actor_id }) => actor_id))
  return single.flatMap(({ label: end, name, actor_id }) => (shown.has(actor_id) ? [{ label: `…${end}`, name }] : []))
}
