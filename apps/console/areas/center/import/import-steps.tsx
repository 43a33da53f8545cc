/** The preview with its button, then the report: the same on the page and in the dialog. */
import { useState } from 'react'
import { useLanguage } from '../../../app/i18n.ts'
import { numberText } from '../../../ui/clock.ts'
import { ErrorLine, ErrorPanel } from '../../../ui/error-panel.tsx'
import { changesIn, ImportRows, useRowText } from './import-rows.tsx'
import { reportCsv } from './run.ts'
import type { useImport } from './use-import.ts'
import { useImportWords } from './words.ts'

type Importing = ReturnType<typeof useImport>

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

export function ImportProgress({ importing }: { readonly importing: Importing }) {
  const say = useImportWords()
  if (importing.progress === null) return null
  return (
    <p role="status" className="soft" aria-busy="true">
      {say('progress', { done: importing.progress, all: importing.size })}
    </p>
  )
}

export function ImportSteps({ importing }: { readonly importing: Importing }) {
  const say = useImportWords()
  const language = useLanguage()
  const { preview, report, progress, error } = importing
  const [pressed, setPressed] = useState(false)
  if (report) return <ImportDone importing={importing} />
  if (!preview) return error ? <ErrorPanel error={error} onRetry={importing.restart} /> : null
  const count = changesIn(preview)
  return (
    <section aria-label={say('previewTitle')}>
      <div className="import-act">
        <p>{count === 0 ? say('nothing') : say('previewText', { emails: numberText(preview.emails, language) })}</p>
        <button type="button" className="btn plain low" disabled={progress !== null} onClick={importing.restart}>
          {say('another')}
        </button>
        {count > 0 && (
          <button
            type="button"
            className="btn first"
            disabled={pressed && progress !== null}
            onClick={() => {
              setPressed(true)
              void importing.confirm()
            }}
          >
            {say('confirm', { count: numberText(count, language) })}
          </button>
        )}
      </div>
      <ImportProgress importing={importing} />
      <ErrorLine error={error} />
      <ImportRows report={preview} done={false} />
    </section>
  )
}

function ImportDone({ importing }: { readonly importing: Importing }) {
  const say = useImportWords()
  const language = useLanguage()
  const textOf = useRowText()
  const { report } = importing
  if (!report) return null
  const columns = [say('columnrow'), say('columnname'), say('columnemail'), say('columnresult'), say('columnreason')]
  const save = () => {
    const lines = report.results.map((result) => [
      ...[result.row, result.name ?? '', result.email ?? ''],
      ...[say(`made${result.effect}`), textOf(result)],
    ])
    saveFile(reportCsv(columns, lines), 'import-report.csv')
  }
  return (
    <section aria-label={say('reportTitle')}>
      <div className="import-act">
        <p role="status" className={report.error ? 'waiting' : 'verified'}>
          <span aria-hidden="true">{report.error ? '◷ ' : '✓ '}</span>
          {report.error
            ? say('partly', { left: numberText(report.left, language) })
            : say('done', {
                count: numberText(changesIn(report), language),
                emails: numberText(report.emails, language),
              })}
        </p>
        <button type="button" className="btn plain low" onClick={save}>
          {say('saveReport')}
        </button>
        <button type="button" className="btn plain low" onClick={importing.restart}>
          {say('another')}
        </button>
      </div>
      {report.error !== null && <ErrorLine error={report.error} />}
      <ImportRows report={report} done={true} />
    </section>
  )
}
