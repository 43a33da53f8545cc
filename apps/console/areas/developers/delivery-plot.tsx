/** Attempts to deliver over four weeks, day by day, of all webhooks together. */
import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { dayText } from '../../ui/day.ts'
import { Plot } from '../../ui/plot/plot.tsx'
import { deliveryDaysQuery } from './data.ts'
import { useDeveloperWords } from './words.ts'

export function DeliveryPlot({ center }: { readonly center: string }) {
  const say = useDeveloperWords()
  const language = useLanguage()
  const { data } = useQuery(deliveryDaysQuery(center))
  if (!data) return null
  const values = (of: 'succeeded' | 'failed') => data.points.map(({ deliveries }) => deliveries?.[of] ?? 0)
  return (
    <Plot
      title={say('deliveryDays')}
      note={say('deliveryDaysNote')}
      kind="bars"
      atLeast={4}
      points={data.points.map(({ from }) => ({
        key: from,
        label: dayText(from, language, 'short'),
        short: dayText(from, language, 'numeric'),
      }))}
      format={(value) => numberText(Math.round(value), language)}
      empty={say('noDeliveryDays')}
      series={[
        { id: 'succeeded', name: say('daySucceeded'), look: 'outlined', values: values('succeeded') },
        { id: 'failed', name: say('dayFailed'), look: 'failed', values: values('failed') },
      ]}
    />
  )
}
