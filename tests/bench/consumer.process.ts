/** Receives webhooks and reports how many: reads each body to its end and answers 200. */
import { createServer } from 'node:http'

let received = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    received++
    response.writeHead(200, { 'content-length': 0 }).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'))
process.on('message', () => process.send?.(received))
process.on('SIGTERM', () => process.exit(0))
