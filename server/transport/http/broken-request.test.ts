import { expect, test } from 'vitest'
import { brokenRequestResponse } from './broken-request'

test.each([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'request_timeout'],
  ['CONNECT', '400 Bad Request', 'invalid_request'],
  ['HPE_INVALID_METHOD', '400 Bad Request', 'invalid_request'],
  ['HPE_INVALID_CONTENT_LENGTH', '400 Bad Request', 'invalid_request', 'Invalid character in Content-Length'],
  ['HPE_INVALID_CONTENT_LENGTH', '413 Payload Too Large', 'body_too_large', 'Content-Length overflow'],
])('%s is answered with %s in the error envelope', (code, status, error, reason = 'Something') => {
  const [head = '', body = ''] = brokenRequestResponse({ code, reason }, 'https://pay.example').split('\r\n\r\n')
  expect(head.split('\r\n')).toEqual([
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    'cache-control: no-store',
    `content-length: ${body.length}`,
    'connection: close',
  ])
  expect(JSON.parse(body)).toEqual({
    error,
    error_description: expect.stringMatching(/\.$/),
    error_uri: `https://pay.example/docs/errors#${error}`,
  })
})
