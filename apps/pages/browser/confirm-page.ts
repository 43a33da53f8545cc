/** `/account/members`: an ADMIN confirms that a passkey is that of a member. */
import { isChallengeOf } from '@countersign/proof/deciding.ts'
import type { ConfirmStatement } from '@countersign/proof/passkey-statement.ts'
import { signedIn } from './account.ts'
import { call } from './api.ts'
import { button, make } from './dom.ts'
import { announce, loading, notice, show, told, type View, words } from './page.ts'
import { assertWith, hasPasskeys } from './passkey.ts'
import type { Assertion, RequestOptions, WaitingPasskey } from './passkey-types.ts'
import { passkeyFacts } from './passkeys-page.ts'
import type { Me } from './types.ts'

export async function confirmPage(me: Me): Promise<void> {
  const list = await loading(call<WaitingPasskey[]>('GET', `/centers/${me.centerId ?? 0}/passkeys`))
  if (!list.ok && list.status === 401) return signedIn(confirmPage)
  const owner = me.memberships.find(({ centerId }) => centerId === me.centerId)?.centerName
  show(() =>
    list.ok
      ? listView(me, owner, list.data)
      : notice(words().confirmTitle, [list.status === 0 ? words().noAnswer : words().confirmNotAdmin]),
  )
}

function listView(me: Me, owner: string | undefined, keys: readonly WaitingPasskey[]): View {
  const fault = make('p', { class: 'fault', role: 'alert' })
  const confirm = (key: WaitingPasskey) => async () => {
    fault.textContent = ''
    const problem = await confirmOne(me, key)
    if (problem !== null) {
      fault.textContent = problem
      return
    }
    await confirmPage(me)
    announce(told('confirmDone', { name: key.name }))
  }
  return {
    title: words().confirmTitle,
    owner,
    body: [
      make('h1', { class: 'notice-title' }, words().confirmTitle),
      make('p', { class: 'soft' }, words().confirmBody),
      fault,
      keys.length === 0 && make('p', { class: 'part' }, words().confirmNone),
      make(
        'ul',
        { class: 'list tall' },
        keys.map((key) =>
          make(
            'li',
            {},
            make(
              'div',
              {},
              make('b', {}, key.name),
              ' ',
              make('span', { class: 'small soft' }, key.email),
              passkeyFacts(key.thumbprint, key.backupEligible, key.boundAt),
            ),
            key.actorId === me.actorId
              ? make('p', { class: 'small soft' }, words().confirmOwn)
              : button(words().confirmDo, 'first', confirm(key), words().sealing),
          ),
        ),
      ),
      make('p', {}, make('a', { class: 'link tap', href: '/account' }, words().back)),
    ],
  }
}

interface Challenge {
  readonly statement: ConfirmStatement
  readonly publicKey: RequestOptions
}

/** With the passkey of the ADMIN where one counts in this center, else with the session. Null: it is confirmed. */
async function confirmOne(me: Me, { actorId, id, thumbprint }: WaitingPasskey): Promise<string | null> {
  const address = `/centers/${me.centerId}/members/${encodeURIComponent(actorId)}/passkeys/${encodeURIComponent(id)}/confirm`
  let assertion: Assertion | null = null
  const begun = hasPasskeys() ? await call<Challenge>('POST', `${address}/options`) : null
  if (begun?.ok) {
    const { statement, publicKey } = begun.data
    const same =
      statement.actorId === actorId && statement.thumbprint === thumbprint && statement.confirmerId === me.actorId
    if (!same || !isChallengeOf(statement, publicKey, location.hostname)) return words().challengeOther
    assertion = await assertWith(publicKey)
    if (!assertion) return words().passkeyCanceled
  }
  const answer = await call('POST', address, assertion ? { assertion } : {})
  if (answer.ok) return null
  if (answer.status === 0) return words().noAnswer
  return answer.status === 409 || answer.status === 404 ? words().confirmElsewhere : words().confirmNotAdmin
}
