/** The name of the person, and the menu behind it. */
import { useSession } from '../app/use-store.ts'
import { lazyMenu } from './lazy-menu.tsx'
import { useUiWords } from './words.ts'

const List = lazyMenu<{ readonly name: string }>(() => import('./person-menu-list.tsx'))

export function PersonMenu() {
  const say = useUiWords()
  const { session } = useSession()
  const name = session?.actor.name || session?.actor.email || say('account')
  const label = <span className="person-name">{name}</span>
  return <List button={{ className: 'quiet person', title: say('account'), children: label }} name={name} />
}
