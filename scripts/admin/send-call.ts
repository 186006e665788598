import { readFileSync } from 'node:fs'
import { CommandError, type Environment, openOperator } from '../operator-client'
import type { ApiCall } from './command'

/** Sends a call of the operator API, with the files that it names. */
export function sendCall(
  { method, path, isWhole = false, body, ...named }: ApiCall,
  environment: Environment,
): Promise<unknown> {
  const whole = body === undefined ? undefined : { ...body, ...readFiles(named) }
  const operator = openOperator(environment)
  return isWhole ? operator.requestWhole(method, path, whole) : operator.request(method, path, whole)
}

type NamedFiles = Pick<ApiCall, 'files' | 'texts' | 'certificates'>

/** Returns the members of the body whose values are in files. */
function readFiles({ files = {}, texts = {}, certificates = {} }: NamedFiles): Readonly<Record<string, unknown>> {
  const read = (named: Readonly<Record<string, string>>, as: (file: string) => unknown) =>
    Object.entries(named).map(([member, file]) => [member, as(file)] as const)
  return Object.fromEntries<unknown>([
    ...read(files, readJsonFile),
    ...read(texts, readTextFile),
    ...read(certificates, readCertificates),
  ])
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CommandError(`${path} cannot be read as JSON.`, { cause })
  }
}

function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CommandError(`${path} cannot be read.`, { cause })
  }
}

/** Returns the certificates of a PEM file, in their order. */
function readCertificates(path: string): readonly string[] {
  const found = readTextFile(path).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (found === null) throw new CommandError(`${path} holds no certificate in PEM.`)
  return found
}
