/** Who opens the console, and in which state: people of the demo in centers of every state of a subscription and a membership. */
import { globSync } from 'node:fs'
import type { Demo } from '../../../tools/demo-data.ts'
import type { Person } from '../../support/world.ts'

export interface State {
  readonly name: string
  /** The name of the demo account, or the domain of a center whose own administrator it is; with an @, another of its people. */
  readonly account: string
  readonly center: string | null
  /** As the addresses of the areas name them. */
  readonly as: readonly string[]
}

const inCenter = (name: string, account: string, center: string, ...as: string[]): State => ({
  name,
  account,
  center,
  as,
})

export const states: readonly State[] = [
  inCenter('administrator of a running center', 'admin', 'haneul', 'ADMIN'),
  inCenter('instructor', 'instructor', 'haneul', 'INSTRUCTOR'),
  inCenter('instructor of two centers', 'multi', 'badaro', 'INSTRUCTOR'),
  inCenter('parent', 'parent', 'haneul', 'PARENT'),
  inCenter('client', 'child', 'haneul', 'CHILD'),
  inCenter('administrator in a trial', 'otherAdmin', 'badaro', 'ADMIN'),
  inCenter('administrator, payment overdue', 'nuri', 'nuri', 'ADMIN'),
  inCenter('administrator, subscription suspended', 'dalbit', 'dalbit', 'ADMIN'),
  inCenter('administrator, subscription canceled', 'daon', 'daon', 'ADMIN'),
  inCenter('instructor, payment overdue', 'instructor1@nuri', 'nuri', 'INSTRUCTOR'),
  inCenter('instructor, subscription suspended', 'instructor1@dalbit', 'dalbit', 'INSTRUCTOR'),
  inCenter('parent, subscription suspended', 'parent@dalbit', 'dalbit', 'PARENT'),
  inCenter('client, subscription canceled', 'child@daon', 'daon', 'CHILD'),
  { name: 'partner administrator', account: 'partnerAdmin', center: null, as: ['PARTNER_ADMIN'] },
  { name: 'partner operator', account: 'partnerOperator', center: null, as: ['PARTNER_ADMIN'] },
  { name: 'operator', account: 'operator', center: null, as: ['OPERATOR'] },
]

export function personOf(demo: Demo, { account }: Pick<State, 'account'>): Person {
  const found = demo.accounts[account]
  if (found) return found
  const { password } = demo.accounts.admin as Demo['accounts'][string]
  return { actorId: '', email: `${account.includes('@') ? account : `admin@${account}`}.example`, password }
}

interface Address {
  readonly path: string
  readonly as: string | null
}

const root = new URL('../../../', import.meta.url).pathname

export async function listedAddresses(): Promise<readonly Address[]> {
  const found: Address[] = []
  for (const file of globSync('apps/console/areas/*/addresses.ts', { cwd: root }).sort())
    found.push(...((await import(root + file)) as { addresses: readonly Address[] }).addresses)
  return found
}

/** Pages that more people open than the areas list them for. */
const everyone = ['/me', '/choose']
const staff = ['/inbox', '/inbox?view=asked', '/decisions', '/chain', '/bookings', '/bookings?view=list'].map(
  (path) => `/c/{center}${path}`,
)
const alsoOf = ({ as }: State): readonly string[] => [...everyone, ...(as.includes('INSTRUCTOR') ? staff : [])]

export interface Visit {
  readonly state: State
  readonly path: string
}

export async function visits(): Promise<readonly Visit[]> {
  const addresses = await listedAddresses()
  return states.flatMap((state) => {
    const listed = addresses.filter(({ as }) => as !== null && state.as.includes(as)).map(({ path }) => path)
    return [...new Set([...listed, ...alsoOf(state)])]
      .filter((path) => state.center || !path.includes('{center}'))
      .map((path) => ({ state, path: path.replace('{center}', state.center ?? '') }))
  })
}
