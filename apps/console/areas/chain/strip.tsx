/** The chain from its first entry to now, as bars: one for each entry, or for as many as share a bar. */
import { type KeyboardEvent, type MouseEvent, useMemo } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { useChainWords } from './words.ts'

const bars = 340
const width = 1360
const base = 60
/** Of a bar, by the highest level of approval in it. */
const heights = [10, 16, 24, 34]

interface Bar {
  readonly from: number
  readonly level: number
  readonly state: 'checked' | 'unchecked' | 'unsure'
}

/** 100,000 bytes are read in less than a millisecond. */
export function barsOf(
  levels: Uint8Array,
  checked: number,
  window: { from: number; to: number },
  brokenAt: number | null,
): Bar[] {
  const size = Math.max(1, Math.ceil((window.to - window.from) / bars))
  const made: Bar[] = []
  for (let from = window.from; from < window.to; from += size) {
    const to = Math.min(window.to, from + size)
    let level = 0
    for (let at = from; at < Math.min(to, checked); at++) level = Math.max(level, levels[at] ?? 0)
    const state = brokenAt !== null && to > brokenAt ? 'unsure' : to <= checked ? 'checked' : 'unchecked'
    made.push({ from, level, state })
  }
  return made
}

interface Properties {
  readonly levels: Uint8Array
  readonly checked: number
  readonly window: { readonly from: number; readonly to: number }
  readonly at: number
  readonly brokenAt: number | null
  readonly onGo: (at: number) => void
}

export function Strip({ levels, checked, window, at, brokenAt, onGo }: Properties) {
  const say = useChainWords()
  const language = useLanguage()
  const { from, to } = window
  const shown = useMemo(() => barsOf(levels, checked, { from, to }, brokenAt), [levels, checked, from, to, brokenAt])
  const step = width / Math.max(shown.length, 1)
  const xOf = (index: number) => ((index - from) / Math.max(1, to - from)) * width
  const thick = Math.min(10, Math.max(1.6, step * 0.5))
  const path = (wanted: (bar: Bar) => boolean) =>
    shown
      .map((bar, place) =>
        wanted(bar) ? `M${(place * step + step / 2).toFixed(1)} ${base}v-${heights[bar.level] ?? 10}` : '',
      )
      .join('')
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    onGo(Math.min(to - 1, from + Math.floor(((event.clientX - box.left) / box.width) * (to - from))))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = Math.max(1, Math.round((to - from) / 100))
    const target = { ArrowLeft: at - by, ArrowRight: at + by, Home: from, End: to - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    onGo(Math.min(to - 1, Math.max(from, target)))
  }
  const number = (value: number) => numberText(value, language)
  const isBroken = brokenAt !== null && brokenAt >= from && brokenAt < to
  return (
    <div
      className="chain-strip"
      role="slider"
      tabIndex={0}
      aria-label={say('whole')}
      aria-valuemin={from}
      aria-valuemax={Math.max(from, to - 1)}
      aria-valuenow={at}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <svg viewBox={`0 0 ${width} 92`} width="100%" aria-hidden="true">
        <path className="axis" d={`M0 ${base}H${width}`} />
        <path className="unchecked" strokeWidth={thick} d={path(({ state }) => state !== 'checked')} />
        <path
          className="checked"
          strokeWidth={thick}
          d={path(({ state, level }) => state === 'checked' && level < 2)}
        />
        <path
          className="sealed"
          strokeWidth={thick}
          d={path(({ state, level }) => state === 'checked' && level >= 2)}
        />
        {isBroken && <path className="broken-bar" d={`M${xOf(brokenAt) + 1} ${base}V6`} />}
        <path
          className="here"
          d={`M${xOf(at)} ${base + 6}v5M${xOf(at)} ${base + 8}h${Math.max(6, step)}M${xOf(at) + Math.max(6, step)} ${base + 6}v5`}
        />
        <text x={0} y={84}>
          {from === 0 ? say('genesis') : number(from + 1)}
        </text>
        {isBroken && (
          <text
            x={Math.min(width - 40, Math.max(40, xOf(brokenAt)))}
            y={84}
            textAnchor="middle"
            className="broken-text"
          >
            ✕ {number(brokenAt + 1)}
          </text>
        )}
        <text x={width} y={84} textAnchor="end">
          {number(to)}
        </text>
      </svg>
    </div>
  )
}
