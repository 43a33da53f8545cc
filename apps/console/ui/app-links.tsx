/** The companion applications of a center: a link for each, to a page that signs in there and goes on. */
import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../app/queries.ts'
import { useUiWords } from './words.ts'

export function AppLinks({ center }: { readonly center: string }) {
  const say = useUiWords()
  const { data: apps = [] } = useQuery(appsQuery(center))
  return apps.map(({ app }) => (
    <a key={app} href={`/c/${center}/apps/${app}`} target="_blank" rel="noopener">
      {say(`app${app}`)}
      <span aria-hidden="true"> ↗</span>
      <span className="unseen"> ({say('newTab')})</span>
    </a>
  ))
}
