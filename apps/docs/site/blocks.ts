/** A button on each code block that copies its text without prompts; blocks and tables that scroll are reached with the keyboard. */
const { copy, copied } =
  document.documentElement.lang === 'ko' ? { copy: '복사', copied: '복사됨' } : { copy: 'Copy', copied: 'Copied' }

function markWide(element: Element): void {
  if (element.scrollWidth > element.clientWidth) element.setAttribute('tabindex', '0')
  else element.removeAttribute('tabindex')
}
const boxes = [...document.querySelectorAll('.sl-markdown-content :is(pre, table)')]
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) markWide(target)
})
for (const box of boxes) sizes.observe(box)
// A font that arrives later makes text wider inside of a box that keeps its size.
document.fonts.addEventListener('loadingdone', () => boxes.forEach(markWide))

for (const block of document.querySelectorAll<HTMLPreElement>('.sl-markdown-content pre')) {
  const frame = document.createElement('div')
  frame.className = 'block'
  block.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = copy
  button.addEventListener('click', async () => {
    const text = block.cloneNode(true) as HTMLPreElement
    for (const prompt of text.querySelectorAll('.code-prompt')) prompt.remove()
    await navigator.clipboard.writeText(text.textContent ?? '')
    button.textContent = copied
    setTimeout(() => {
      button.textContent = copy
    }, 2000)
  })
  frame.append(block, button)
}
