/** A button on each code block that copies its text. */
const { copy, copied } =
  document.documentElement.lang === 'ko' ? { copy: '복사', copied: '복사됨' } : { copy: 'Copy', copied: 'Copied' }

for (const block of document.querySelectorAll<HTMLPreElement>('.sl-markdown-content pre')) {
  const frame = document.createElement('div')
  frame.className = 'block'
  block.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent ?? '')
    button.textContent = copied
    setTimeout(() => {
      button.textContent = copy
    }, 2000)
  })
  // A block that scrolls is reached with the keyboard too.
  block.tabIndex = 0
  frame.append(block, button)
}
