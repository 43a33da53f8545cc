/** A further center, or a personal workspace, of somebody who is already in a center. */
import { useNavigate } from '@tanstack/react-router'
import { meQuery, queries } from '../../app/queries.ts'
import { NewCenterForm } from '../../ui/new-center/form.tsx'
import { EntryFrame } from './frame.tsx'
import { useEntryWords } from './words.ts'

export function NewPlacePage() {
  const say = useEntryWords()
  const navigate = useNavigate()
  const enter = async (domain: string) => {
    // The memberships that were read before lack the new center.
    await queries.invalidateQueries({ queryKey: meQuery.queryKey })
    await navigate({ href: `/c/${domain}` })
  }
  return (
    <EntryFrame title={say('openTitle')} lede={say('openLede')}>
      <NewCenterForm onMade={(domain) => void enter(domain)} />
      <button type="button" className="btn plain" onClick={() => history.back()}>
        {say('back')}
      </button>
    </EntryFrame>
  )
}
