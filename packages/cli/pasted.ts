/** Reads one line from a terminal without showing it: what is pasted there is an API key. */
export function pasted(): Promise<string> {
  const { stdin, stderr } = process
  return new Promise((resolve) => {
    let line = ''
    const end = () => {
      stdin.off('data', read)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    function read(chunk: Buffer): void {
      for (const each of chunk.toString()) {
        // Raw mode hands over Ctrl+C as a character; the usual exit code of an interrupted program.
        if (each === '\u0003') {
          end()
          process.exit(130)
        }
        if (each === '\r' || each === '\n' || each === '\u0004') {
          end()
          resolve(line.trim())
          return
        }
        line = each === '\u007f' || each === '\b' ? line.slice(0, -1) : line + each
      }
    }
    stdin.setRawMode(true)
    stdin.on('data', read)
    stdin.resume()
  })
}
