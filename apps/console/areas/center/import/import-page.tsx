/** Members and children from a file or a list: chosen, dropped or pasted, looked at, and only then invited. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { type DragEvent, useId, useState } from 'react'
import { termsStore } from '../../../app/terms.ts'
import { useStore } from '../../../app/use-store.ts'
import { Page } from '../../../ui/desk.tsx'
import '../center.css'
import { textOf } from './csv.ts'
import { ImportProgress, ImportSteps, saveFile } from './import-steps.tsx'
import { type People, peopleOf, type Role } from './people.ts'
import { maxBytes, maxPeople, reportCsv } from './run.ts'
import { useImport } from './use-import.ts'
import { useImportWords } from './words.ts'

const route = getRouteApi('/c/$center/members/import')
type Fault = 'tooLarge' | 'unreadable' | 'tooMany' | 'noPeople'
const defaultRoles = ['INSTRUCTOR', 'PARENT', 'CHILD'] as const satisfies readonly Role[]

export function ImportPage() {
  const say = useImportWords()
  const { center } = route.useParams()
  const terms = useStore(termsStore)
  const importing = useImport(center)
  const [role, setRole] = useState<Role | ''>('')
  const [approved, setApproved] = useState(true)
  const [pasted, setPasted] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const [ignored, setIgnored] = useState<readonly string[]>([])
  const area = useId()

  function look(found: People): void {
    const { people } = found
    const wrong = people.length === 0 ? 'noPeople' : people.length > maxPeople ? 'tooMany' : null
    setFault(wrong)
    setIgnored(found.ignored)
    if (wrong) return
    const withRoles = people.map((each) => (each.roles.length === 0 && role ? { ...each, roles: [role] } : each))
    void importing.look({ people: withRoles, approved })
  }
  async function read(file: File | undefined): Promise<void> {
    if (!file) return
    if (file.size > maxBytes) return setFault('tooLarge')
    const text = textOf(new Uint8Array(await file.arrayBuffer()))
    if (text === null) return setFault('unreadable')
    look(peopleOf(text, terms))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void read(event.dataTransfer.files[0])
  }
  const template = () =>
    saveFile(
      reportCsv([say('columnname'), say('columnemail'), say('columnrole'), say('columnguardian')], []),
      'import-template.csv',
    )
  const choosing = !importing.preview && !importing.report && importing.error === null
  return (
    <Page
      title={say('title')}
      lede={say('lede')}
      actions={
        <Link to="/c/$center/members" params={{ center }} className="btn plain low">
          {say('members')}
        </Link>
      }
    >
      {ignored.length > 0 && !choosing && <p className="soft">{say('ignored', { columns: ignored.join(', ') })}</p>}
      {!choosing && <ImportSteps importing={importing} />}
      {choosing && (
        <div className="import-choose">
          <div className="import-options">
            <label>
              <span>{say('defaultRole')}</span>
              <select className="field" value={role} onChange={({ target }) => setRole(target.value as Role | '')}>
                <option value="">{say('noDefaultRole')}</option>
                {defaultRoles.map((each) => (
                  <option key={each} value={each}>
                    {say(`role${each}`)}
                  </option>
                ))}
              </select>
            </label>
            <label className="switch">
              <input type="checkbox" checked={approved} onChange={({ target }) => setApproved(target.checked)} />
              {say('approved')}
            </label>
          </div>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever can't drop a file chooses it */}
          <div className="import-drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
            <label className="btn first">
              {say('choose')}
              <input
                type="file"
                className="unseen"
                accept=".csv,.tsv,.txt,text/csv,text/plain"
                onChange={({ target }) => {
                  void read(target.files?.[0])
                  target.value = ''
                }}
              />
            </label>
            <p className="soft">{say('drop')}</p>
            <button type="button" className="link" onClick={template}>
              {say('template')}
            </button>
          </div>
          <label className="label" htmlFor={area}>
            {say('paste')}
          </label>
          <textarea
            id={area}
            className="field"
            rows={6}
            placeholder={say('pasteExample')}
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
          />
          <button
            type="button"
            className="btn"
            disabled={pasted.trim() === '' || importing.progress !== null}
            onClick={() => (pasted.length > maxBytes ? setFault('tooLarge') : look(peopleOf(pasted, terms)))}
          >
            {say('look')}
          </button>
          <p role="alert" className="fault">
            {fault && `✕ ${say(fault, { rows: maxPeople })}`}
          </p>
          <ImportProgress importing={importing} />
        </div>
      )}
    </Page>
  )
}
