import { ConfigError, loadConfig, type Config } from '../gateway/config.ts'
import { CliError } from './cli-error.ts'

/** The settings that the service itself has. @param dataDir Wins over KEYSTEAD_DATA_DIR. @throws {CliError} */
export function configOf(dataDir: string | undefined): Config {
  try {
    return loadConfig({ ...process.env, ...(dataDir !== undefined && { KEYSTEAD_DATA_DIR: dataDir }) })
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(error.message)
    throw error
  }
}
