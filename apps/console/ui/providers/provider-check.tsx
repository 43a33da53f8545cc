/** Whether a sign-in provider can be reached now, and what stands in the way. */
import type { SignInProviderCheck } from '@countersign/sdk'
import { useChange } from '../../app/change.ts'
import { ErrorLine } from '../error-panel.tsx'
import { StatusWord } from '../status-word.tsx'
import { useProviderWords } from './words.ts'

export function ProviderCheck({ check: look }: { readonly check: () => Promise<SignInProviderCheck> }) {
  const say = useProviderWords()
  const check = useChange([], look, { told: 'shown' })
  const { data } = check
  return (
    <>
      <div className="button-line">
        <button type="button" className="btn low" disabled={check.isPending} onClick={() => check.mutate()}>
          {say('providerCheck')}
        </button>
        <p role="status">
          {check.isPending && <StatusWord tone="waiting">{say('providerChecking')}</StatusWord>}
          {data && (
            <StatusWord tone={data.works ? 'verified' : 'broken'}>
              {say(data.works ? 'providerReached' : 'providerProblem')}
            </StatusWord>
          )}
        </p>
      </div>
      {data && <p>{say(data.problem ? `providerProblem_${data.problem}` : 'providerWorks')}</p>}
      <ErrorLine error={check.error} />
    </>
  )
}
