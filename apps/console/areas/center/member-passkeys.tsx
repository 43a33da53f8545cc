/** The passkeys of members that wait: to be confirmed here, or, if it is one's own, by somebody else. */
import type { UnconfirmedPasskey } from '@countersign/sdk'
import { useMe } from '../../app/queries.ts'
import { CheckPasskey } from '../../ui/check-passkey.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { OwnStanding } from '../../ui/own-standing.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { confirmPasskey } from './confirm-passkey.ts'
import { useCenterWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly passkey: UnconfirmedPasskey
}

export function MemberPasskey({ center, passkey }: Properties) {
  const say = useCenterWords()
  const { data: me } = useMe()
  if (!me) return null
  if (passkey.mayConfirm) {
    return <CheckPasskey passkey={passkey} confirm={() => confirmPasskey(center, me.actorId, passkey)} />
  }
  return (
    <Part title={say('ownPasskeyWaits')}>
      <p className="check-how">{say('confirmOwn')}</p>
      <OwnStanding />
    </Part>
  )
}

export function PasskeySheet({ center, passkey, onBack }: Properties & { readonly onBack: () => void }) {
  const say = useCenterWords()
  return (
    <Sheet label={passkey.name}>
      <SheetHead name={passkey.name} back={say('backToList')} onBack={onBack}>
        <span className="soft small">{passkey.email}</span>
      </SheetHead>
      <MemberPasskey center={center} passkey={passkey} />
    </Sheet>
  )
}
