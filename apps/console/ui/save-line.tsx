/** The end of a form: its button, whether the server has saved it, and why not. */
import type { useChange } from '../app/change.ts'
import { ErrorLine } from './error-panel.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly save: Pick<ReturnType<typeof useChange>, 'isPending' | 'isSuccess' | 'error' | 'isTold'>
  readonly disabled?: boolean
}

export function SaveLine({ save, disabled = false }: Properties) {
  const say = useUiWords()
  return (
    <>
      <div className="button-line">
        <button type="submit" className="btn first" disabled={disabled || save.isPending}>
          {say('save')}
        </button>
        <p role="status" className="verified">
          {/* Otherwise the message at the edge of the page says it, with what takes it back. */}
          {save.isSuccess && !save.isTold && `✓ ${say('saved')}`}
        </p>
      </div>
      <ErrorLine error={save.error} />
    </>
  )
}
