import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError, type Environment, readConfig } from './config'

function read(env: Environment) {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-config-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return readConfig({ DATA_DIR: directory, ...env }).traces
}

function problemsOf(env: Environment): readonly string[] {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example.com/otlp/'

test('there are no traces unless a collector is named', () => {
  expect(read({ TRUST_TRACEPARENT: 'true', OTEL_SERVICE_NAME: 'pay', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull()
})

test('a collector alone is enough', () => {
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318' })).toEqual({
    url: 'http://otel:4318/v1/traces',
    headers: {},
    serviceName: 'countersign',
    ratio: 1,
    trustsCallers: false,
  })
})

test('all settings of traces are taken as OpenTelemetry writes them', () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret, authorization=Bearer%20token',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'pay.eu',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    TRUST_TRACEPARENT: 'true',
  }
  expect(read(settings)).toEqual({
    url: 'https://collector.example.com/otlp/v1/traces',
    headers: { 'api-key': 'secret', authorization: 'Bearer token' },
    serviceName: 'pay.eu',
    ratio: 0.25,
    trustsCallers: true,
  })
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'otel:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://otel:4317'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:secret@otel'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://otel?key=secret'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b,,c=d'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=secret%0d%0ahost: x'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=secret%zz'],
  ['OTEL_SERVICE_NAME', 'secret of pay'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
  ['OTEL_TRACES_SAMPLER_ARG', '-0'],
  ['OTEL_TRACES_SAMPLER_ARG', '10%'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/protobuf'],
  ['OTEL_TRACES_SAMPLER', 'always_on'],
  ['TRUST_TRACEPARENT', 'yes'],
])('%s=%s refuses the start, and the value is not repeated', (name, value) => {
  const problems = problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))])
  expect(problems.join()).not.toContain('secret')
})

test.each(['ENDPOINT', 'HEADERS'])('the second name of %s refuses the start, with a collector or without', (name) => {
  const second = { [`OTEL_EXPORTER_OTLP_TRACES_${name}`]: 'x' }
  const problems = [`OTEL_EXPORTER_OTLP_TRACES_${name} is not read: set OTEL_EXPORTER_OTLP_${name}`]
  expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, ...second })).toEqual(problems)
  expect(problemsOf(second)).toEqual(problems)
})

test('headers, which often hold a key, need a collector and are sent to no other machine in the clear', () => {
  const OTEL_EXPORTER_OTLP_HEADERS = 'api-key=secret'
  expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS })).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT must be set too: the headers are sent there',
  ])
  const sentTo = (endpoint: string) => problemsOf({ OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  expect(sentTo('http://otel:4318')).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an https URL, or http on a loopback host, since OTEL_EXPORTER_OTLP_HEADERS are sent there',
  ])
  expect(sentTo('http://127.0.0.1:4318')).toEqual([])
})
