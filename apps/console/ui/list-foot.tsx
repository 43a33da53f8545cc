/** Below a list: its next page, and all of it as CSV. */
import { useChange } from '../app/change.ts'
import { download } from '../app/download.ts'
import { ErrorLine } from './error-panel.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  /** Null: every row is shown. */
  readonly more: (() => void) | null
  readonly csv?: CsvFile
}

interface CsvFile {
  readonly path: string
  /** The name of the file on the disk of the reader. */
  readonly file: string
}

export function ListFoot({ more, csv }: Properties) {
  const say = useUiWords()
  return (
    <div className="list-foot">
      {more && (
        <button type="button" className="btn plain low" onClick={more}>
          {say('showMore')}
        </button>
      )}
      {csv && <CsvButton {...csv} className="quiet" />}
    </div>
  )
}

export function CsvButton({ path, file, className }: CsvFile & { readonly className: string }) {
  const say = useUiWords()
  const csv = useChange([], () => download(path, file), { told: 'file' })
  return (
    <>
      <button type="button" className={className} disabled={csv.isPending} onClick={() => csv.mutate()}>
        {say('csv')}
      </button>
      <ErrorLine error={csv.error} />
    </>
  )
}
