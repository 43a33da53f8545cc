/** Who mail comes from: a name, an address of an own domain, and where replies go. */
import type { CenterSettings, Domain } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../app/change.ts'
import { Field } from '../field.tsx'
import { SaveLine } from '../save-line.tsx'
import { StatusWord } from '../status-word.tsx'
import type { DomainCalls } from './domain-list.tsx'
import { useDomainWords } from './words.ts'

export type Sender = CenterSettings['sender']

interface Properties {
  readonly calls: DomainCalls
  readonly sender: Partial<Sender>
  /** What the name is where none is set. */
  readonly usualName?: string
  readonly onSave: (sender: Sender) => Promise<unknown>
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

function addressState(domains: readonly Domain[], address: string): 'addressUsed' | 'addressUnproven' | 'addressNoSpf' {
  const domain = domains.find((each) => each.purpose === 'email' && each.domain === domainOf(address))
  if (domain?.status !== 'proven') return 'addressUnproven'
  return domain.sender?.worksSince ? 'addressUsed' : 'addressNoSpf'
}

export function SenderForm({ calls, sender, usualName, onSave }: Properties) {
  const say = useDomainWords()
  const [name, setName] = useState(sender.name ?? '')
  const [address, setAddress] = useState(sender.address ?? '')
  const [replyTo, setReplyTo] = useState(sender.replyTo ?? '')
  const { data: domains } = useQuery({ queryKey: ['domains', calls.of], queryFn: ({ signal }) => calls.list(signal) })
  const save = useChange(
    ['center', 'partner'],
    () => onSave({ name: name.trim() || null, address: address.trim() || null, replyTo: replyTo.trim() || null }),
    { told: 'shown' },
  )
  const state = domains && sender.address ? addressState(domains, sender.address) : null
  return (
    <form
      className="domain-sender"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Field
        label={say('senderName')}
        hint={say('senderNameHint')}
        {...(usualName !== undefined && { placeholder: usualName })}
        maxLength={60}
        data-field="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Field
        label={say('senderAddress')}
        hint={say('senderAddressHint')}
        type="email"
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      {state && (
        <p>
          <StatusWord tone={state === 'addressUsed' ? 'verified' : 'waiting'}>
            {say(state, { domain: domainOf(sender.address ?? '') })}
          </StatusWord>
        </p>
      )}
      <Field
        label={say('senderReply')}
        hint={say('senderReplyHint')}
        type="email"
        value={replyTo}
        onChange={({ target }) => setReplyTo(target.value)}
      />
      <SaveLine save={save} />
    </form>
  )
}
