import { addressToken } from '@/components/lib/address-token'

/** The token of the sign-in link that opened the page. */
export const { useToken: useAddressToken, forget: forgetAddressToken } = addressToken('countersign.sign-in-token')
