/** An ADMIN confirms that a passkey is that of a member: with a passkey that counts here, else with the session. */
import type { UnconfirmedPasskey } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import {
  assertWith,
  checkNumber,
  hasPasskeys,
  PasskeyCanceled,
  PasskeyForeign,
  requireChallengeOf,
} from '../../app/passkeys.ts'
import { useMe } from '../../app/queries.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import './center.css'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/passkeys')

/** Undefined where the ADMIN has no passkey that counts in this center. */
async function signed(center: string, me: string, { actorId, id, thumbprint }: UnconfirmedPasskey) {
  if (!hasPasskeys()) return undefined
  const begun = await api.memberPasskeys.challengeConfirmation(center, actorId, id).catch((error: unknown) => {
    if (failureOf(error).status === 409) return null
    throw error
  })
  if (begun === null) return undefined
  const { statement, publicKey } = begun
  const isSame =
    'confirmerId' in statement &&
    statement.actorId === actorId &&
    statement.thumbprint === thumbprint &&
    statement.confirmerId === me
  if (!isSame) throw new PasskeyForeign()
  requireChallengeOf(statement, publicKey)
  return assertWith(publicKey)
}

export function PasskeysPage() {
  const say = useCenterWords()
  const { center } = route.useParams()
  const { data: me } = useMe()
  const { data, error, refetch } = useQuery({
    queryKey: ['passkeys', 'unconfirmed', center],
    queryFn: ({ signal }) => api.memberPasskeys.listUnconfirmed(center, { signal }),
  })
  const confirm = useChange<UnconfirmedPasskey>(['passkeys', 'members'], async (passkey) => {
    const assertion = await signed(center, me?.actorId ?? '', passkey)
    await api.memberPasskeys.confirm(center, passkey.actorId, passkey.id, assertion ? { assertion } : {})
  })
  return (
    <Page title={say('passkeysToConfirm')} lede={say('passkeysToConfirmLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data?.length === 0 && <Empty title={say('noPasskeys')}>{say('noPasskeysText')}</Empty>}
      <Fault error={confirm.error} />
      <ul className="center-passkeys">
        {data?.map((passkey) => (
          <li key={passkey.id}>
            <div>
              <b>{passkey.name}</b> <span className="small soft">{passkey.email}</span>
              <p className="mono">{checkNumber(passkey.thumbprint)}</p>
              <p className="small soft">
                {say('passkeyMade')} <Time at={passkey.boundAt} /> ·{' '}
                {say(passkey.backupEligible ? 'passkeySynced' : 'passkeyLocal')}
              </p>
            </div>
            {passkey.actorId === me?.actorId ? (
              <p className="small soft">{say('confirmOwn')}</p>
            ) : (
              <button
                type="button"
                className="btn"
                disabled={confirm.isPending || !me}
                onClick={() => confirm.mutate(passkey)}
              >
                {say('confirmPasskey')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Page>
  )
}

function Fault({ error }: { readonly error: unknown }) {
  const say = useCenterWords()
  const { status } = failureOf(error)
  const own =
    error instanceof PasskeyCanceled
      ? 'passkeyCanceled'
      : error instanceof PasskeyForeign
        ? 'passkeyForeign'
        : status === 409 || status === 404
          ? 'confirmElsewhere'
          : null
  if (own === null) return <ErrorLine error={error} />
  return (
    <p role="alert" className="fault">
      {say(own)}
    </p>
  )
}
