/** The start of a center: the first page that the person may see. */
import { Navigate } from '@tanstack/react-router'
import { addressOf } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { Page } from '../../ui/desk.tsx'
import { useEntries } from '../../ui/entries.ts'
import { useEntryWords } from './words.ts'

export function HomePage() {
  const say = useEntryWords()
  const { center } = centerRoute.useParams()
  const [first] = useEntries('center', center)
  if (first) return <Navigate to={addressOf(first, center)} replace />
  return (
    <Page title={say('nothingTitle')}>
      <p>{say('nothingText')}</p>
    </Page>
  )
}
