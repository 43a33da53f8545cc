/** The headline of decisions, with the values of an example; what it lacks is a marked gap, as on a decision. */
import { inLanguage, sentenceOf, sentenceParts } from '@countersign/proof/action-template.ts'
import type { ActionType } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { useTypeWords } from './words.ts'

interface Properties {
  readonly template: Pick<ActionType, 'sentence' | 'labels'>
  /** `action.input` of a decision, if there is one. */
  readonly example: unknown
}

export function Headline({ template: { sentence, labels }, example }: Properties) {
  const say = useTypeWords()
  const language = useLanguage()
  const text = inLanguage(sentence ?? {}, language)
  if (text.trim() === '') return null
  return (
    <>
      <p className="types-headline">
        {sentenceParts(text, {}).map((part, at) =>
          part.kind === 'gap' ? (
            <b key={at}>{inLanguage(labels[part.pointer] ?? { ko: part.pointer }, language)}</b>
          ) : (
            part.text
          ),
        )}
      </p>
      {example !== undefined && example !== null && (
        <p className="soft small types-break">{say('example', { text: sentenceOf(sentenceParts(text, example)) })}</p>
      )}
    </>
  )
}
