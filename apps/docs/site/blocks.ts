/** A button on each code block that copies its text without prompts; blocks and tables that scroll are reached with the keyboard. */
const { copy, copied } =
  document.documentElement.lang === 'ko' ? { copy: '복사', copied: '복사됨' } : { copy: 'Copy', copied: 'Copied' }

const wide = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
    else target.removeAttribute('tabindex')
  }
})
for (const element of document.querySelectorAll('.sl-markdown-content :is(pre, table)')) wide.observe(element)

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
