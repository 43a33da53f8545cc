/** A line of a few weeks in a row of a table; the row has its numbers. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const [width, height] = [96, 24]
  const highest = Math.max(1, ...values)
  const x = (at: number) => 2 + (at * (width - 4)) / Math.max(1, values.length - 1)
  const y = (value: number) => height - 3 - (value * (height - 6)) / highest
  return (
    <svg className="sparkline" width={width} height={height} aria-hidden="true">
      <path d={`M${values.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`} />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r="2" />
    </svg>
  )
}
