/** `/account/passkeys`: one's own passkeys. Registering takes a new passkey, its signature, and where possible an older one. */
import { isChallengeOf } from '@countersign/proof/deciding.ts'
import type { RegisterStatement } from '@countersign/proof/passkey-statement.ts'
import { signedIn } from './account.ts'
import { call } from './api.ts'
import { button, type Child, field, form, make } from './dom.ts'
import { checkNumber, dateTime } from './format.ts'
import { announce, loading, notice, show, spoken, type View, words } from './page.ts'
import { assertWith, create, hasPasskeys } from './passkey.ts'
import type { Assertion, CreationOptions, Passkey, RequestOptions } from './passkey-types.ts'
import { signIn } from './sign-in.ts'
import type { Me } from './types.ts'

export const passkeyFacts = (
  thumbprint: string,
  backupEligible: boolean,
  madeAt: string,
  usedAt?: string | null,
): Child =>
  make(
    'dl',
    { class: 'facts' },
    [make('dt', {}, words().passkeyNumber), make('dd', { class: 'mono' }, checkNumber(thumbprint))],
    [make('dt', {}, words().passkeyMade), make('dd', {}, dateTime(madeAt, spoken()))],
    usedAt && [make('dt', {}, words().passkeyUsed), make('dd', {}, dateTime(usedAt, spoken()))],
    [
      make('dt', {}),
      make('dd', { class: 'small soft' }, backupEligible ? words().passkeySynced : words().passkeyLocal),
    ],
  )

type Says = (text: string) => void

interface Attested {
  readonly statement: RegisterStatement
  readonly publicKey: RequestOptions
  readonly confirmWith: RequestOptions | null
}

export async function passkeysPage(me: Me): Promise<void> {
  const list = await loading(call<Passkey[]>('GET', '/auth/passkeys'))
  if (!list.ok && list.status === 401) return signedIn(passkeysPage)
  const keys = list.ok ? list.data : []
  const again = () => passkeysPage(me)
  show(() => listView(me, keys, again))
}

function listView(me: Me, keys: readonly Passkey[], again: () => Promise<void>): View {
  const name = field(words().passkeyName, { maxlength: '64', autocomplete: 'off' }, { note: words().passkeyNameNote })
  const fault = make('p', { class: 'fault', role: 'alert' })
  const says = (text: string) => {
    fault.textContent = text
  }
  const add = () => begin(me, name.input.value.trim(), says, again)
  return {
    title: words().passkeysTitle,
    body: [
      make('h1', { class: 'notice-title' }, words().passkeysTitle),
      make('p', { class: 'soft' }, words().passkeysBody),
      keys.length === 0 && make('p', { class: 'part' }, words().passkeysNone),
      make(
        'ul',
        { class: 'list' },
        keys.map((key) => keyView(key, says, again)),
      ),
      hasPasskeys()
        ? form(
            add,
            name.box,
            fault,
            make(
              'button',
              { type: 'submit', class: 'btn first', id: 'add', 'data-busy': words().working },
              words().passkeyAdd,
            ),
          )
        : make('p', { class: 'fault' }, words().passkeysUnable),
      make('p', {}, make('a', { class: 'link tap', href: '/account' }, words().back)),
    ],
  }
}

/** Removing takes two presses: it is sealed in every center and cannot be undone. */
function keyView(
  { id, name, thumbprint, backupEligible, createdAt, lastUsedAt }: Passkey,
  says: Says,
  again: () => Promise<void>,
): HTMLElement {
  const remove = async () => {
    const answer = await call('DELETE', `/auth/passkeys/${encodeURIComponent(id)}`)
    if (!answer.ok) return says(words().wentWrong)
    await again()
    announce(words().passkeyRemoved)
  }
  const sure = button(words().passkeyRemoveSure, '', remove, words().working)
  const press = button(words().passkeyRemove, 'plain', () => {
    press.replaceWith(sure)
    sure.focus()
  })
  return make(
    'li',
    {},
    make(
      'div',
      {},
      make('b', {}, name ?? words().passkeyUnnamed),
      passkeyFacts(thumbprint, backupEligible, createdAt, lastUsedAt),
    ),
    press,
  )
}

async function begin(me: Me, name: string, says: Says, again: () => Promise<void>): Promise<void> {
  says('')
  const begun = await call<{ publicKey: CreationOptions }>('POST', '/auth/passkeys/register/options')
  if (!begun.ok) {
    if (begun.status === 403 || begun.status === 401) {
      await signIn({ lede: 'passkeyStale' })
      return again()
    }
    return says(begun.status === 409 ? words().passkeysOff : words().noAnswer)
  }
  const created = await create(begun.data.publicKey)
  if ('fault' in created) return says(words()[created.fault])
  const attested = await call<Attested>('POST', '/auth/passkeys/register/attestation', {
    attestation: created.attestation,
  })
  if (!attested.ok) return says(attested.status === 409 ? words().passkeyTaken : words().passkeyNotMade)
  const { statement, publicKey } = attested.data
  if (statement.actorId !== me.actorId || !isChallengeOf(statement, publicKey, location.hostname))
    return says(words().challengeOther)
  step('stepSign', words().stepSignDo, publicKey, again, async (assertion) => {
    const older = attested.data.confirmWith
    if (!older || !isChallengeOf(statement, older, location.hostname))
      return finish(name, statement, { assertion }, again)
    step(
      'stepOlder',
      words().stepOlderDo,
      older,
      again,
      (confirmation) => finish(name, statement, { assertion, confirmation }, again),
      () => finish(name, statement, { assertion }, again),
    )
  })
}

/** Each signature is a press of its own: some browsers ask for one. */
function step(
  texts: 'stepSign' | 'stepOlder',
  label: string,
  options: RequestOptions,
  again: () => Promise<void>,
  then: (assertion: Assertion) => Promise<void>,
  skip?: () => Promise<void>,
): void {
  show(() => {
    const fault = make('p', { class: 'fault', role: 'alert' })
    const sign = async () => {
      const assertion = await assertWith(options)
      if (assertion) await then(assertion)
      else fault.textContent = words().passkeyCanceled
    }
    return notice(
      words()[texts],
      [words()[`${texts}Body`]],
      [
        fault,
        button(label, 'first', sign, words().working),
        skip ? button(words().stepOlderSkip, '', skip) : button(words().back, '', again),
      ],
    )
  })
}

async function finish(
  name: string,
  { thumbprint }: RegisterStatement,
  signed: { assertion: Assertion; confirmation?: Assertion },
  again: () => Promise<void>,
): Promise<void> {
  const answer = await call<Passkey>('POST', '/auth/passkeys/register', { ...signed, ...(name !== '' && { name }) })
  const back = () => button(words().back, '', again)
  show(() =>
    answer.ok
      ? notice(
          words().passkeyDoneTitle,
          [signed.confirmation ? words().passkeyDoneOlder : words().passkeyDoneBody],
          make('p', { class: 'mono number', id: 'number' }, checkNumber(thumbprint)),
          back(),
        )
      : notice(words().failedTitle, [answer.status === 409 ? words().passkeyTaken : words().passkeyNotMade], back()),
  )
}
