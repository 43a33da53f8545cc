/** The public interface of this package; other files cannot be imported. */
export { type Config, ConfigError, readConfig } from './config.ts'
export { type Gateway, type GatewayOptions, openGateway } from './gateway.ts'
export { type Listening, listen } from './http.ts'
