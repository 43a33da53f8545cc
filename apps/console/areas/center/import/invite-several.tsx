/** Many addresses at once, pasted into the dialog that invites. */
import { useId, useState } from 'react'
import { peopleOfList, type Role } from './people.ts'
import { maxBytes, maxPeople } from './run.ts'
import type { useImport } from './use-import.ts'
import { useImportWords } from './words.ts'

interface Properties {
  readonly importing: ReturnType<typeof useImport>
  readonly role: Role
  readonly approved: boolean
}

export function InviteSeveral({ importing, role, approved }: Properties) {
  const say = useImportWords()
  const id = useId()
  const [pasted, setPasted] = useState('')
  const tooMuch = pasted.length > maxBytes
  const people = tooMuch ? [] : peopleOfList(pasted).people
  const tooMany = tooMuch || people.length > maxPeople
  return (
    <div className="labeled">
      <label className="label" htmlFor={id}>
        {say('addresses')}
      </label>
      <textarea
        id={id}
        className="field"
        rows={6}
        placeholder={say('pasteExample')}
        value={pasted}
        onChange={({ target }) => setPasted(target.value)}
      />
      <p className="soft small">{say('addressesHint')}</p>
      {tooMany && (
        <p role="alert" className="fault">
          {say('tooMany', { rows: maxPeople })}
        </p>
      )}
      <button
        type="button"
        className="btn first"
        disabled={people.length === 0 || tooMany || importing.progress !== null}
        onClick={() => void importing.look({ people: people.map((each) => ({ ...each, roles: [role] })), approved })}
      >
        {say('lookAt', { count: people.length })}
      </button>
    </div>
  )
}
