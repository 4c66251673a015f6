import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { readForm } from "./callback.ts";
import {
  callbackContent,
  certificateSn,
  isSignedBy,
  memberText,
  readCertificates,
  requestContent,
  rootCertificatesSn,
  signContent,
} from "./signature.ts";

// What Alipay itself signed and issued, as published with alipay-sdk-nodejs-all (MIT): test/alipay.test.ts, test/antcertutil.test.ts and
// test/fixtures.

const publicKeyOf = (base64: string) => createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });

const noticeKey = publicKeyOf(
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqObrdC7hrgAVM98tK0nv3hSQRGGKT4lBsQjHiGjeYZjOPIPHR5knm2jnnz/YGIXIofVHkA/tAlBAd5DrY7YpvI4tP5EONLtZKC2ghBMx7McI2wRD0xiqzxOQr1FuhZGJ8/AUokBzJrzY+aGX2xcOrxFYRlFilvVLTXg4LWjR1tdPkO6+i7wQZAIVMClPkwVRZEbaERRHlKqTzv2gGv5rDU8gRoe1LeaN+6BlbTqHWkQcNCUNrA8C6l17XAXGKDsm/9TFWwO8EPHHHCaQdjtV5/FdcWIt+L8SR1ss7EXTjYDFtxcKVv9rEoY1lX8T4mX+GbXfZHraG5NCF1+XioL5JwIDAQAB",
);
const notice: Record<string, string> = {
  gmt_create: "2019-08-15 15:56:22",
  charset: "utf-8",
  seller_email: "z97-yuquerevenue@service.aliyun.com",
  subject: "语雀空间 500人规模",
  sign: "QfTb8tqE1BMhS5qAnXtvsF3/jBkEvu9q9en0pdbBUDDjvKycZhQb7h8GDs4FKfi049PynaNuatxSgLb/nLWZpXyyh0LEWdK2S6Ri7nPwrVgOs08zugLO20vOQz44y3ti2Ncm8/wZts1Fr2gZ7pShnVX3d1B50hbsXnObT1r/U8ONNQjWXd0HIul4TG+Q3fm3svmSvFEy0WnzuhcyHPX5Gm4ELNctL6Qd5YniGJFNcc7kopHYtI/XD9YCKCH6Ct02rzUs9i11C9CsadtZn+WhxF26Dqt9sGEFajkJ8cxUTLi8+VCpLHsgPE8P0y095uQcDdK0YjCh4x7wVSov+lrmOQ==",
  buyer_id: "2088102534368455",
  invoice_amount: "0.10",
  notify_id: "2019081500222155624068450559358070",
  fund_bill_list: '[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]',
  notify_type: "trade_status_sync",
  trade_status: "TRADE_SUCCESS",
  receipt_amount: "0.10",
  buyer_pay_amount: "0.10",
  sign_type: "RSA2",
  app_id: "2019073166072302",
  seller_id: "2088531891668739",
  gmt_payment: "2019-08-15 15:56:24",
  notify_time: "2019-08-15 15:56:25",
  version: "1.0",
  out_trade_no: "20190815155618536-564-57",
  total_amount: "0.10",
  trade_no: "2019081522001468450512505578",
  auth_app_id: "2019073166072302",
  buyer_logon_id: "xud***@126.com",
  point_amount: "0.00",
};

const answerKey = publicKeyOf(
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk7LzhmMa2c4qQd4fqAqenfbuFoA7stPKvoS1LrZEsVnOOGUUjwoa1oU9xsSPjcOWhIerU/VAN4J95GIAXx59ipcleIyfLn2FhHXPgLJpvo+b2jJFyn/1/DbeJDh+0yDVAOf50Z7HhI0mdUhFMkXlT7BU0ZMtJf/TmISFEfhDU/w6qFd6D42L97byAkq0K6LroglSVF24GqJEa7hSeUIkZWj7RasykXrc2uVJ1+ejkXE0LyPxa2AHykMGbJLf5SiZvaNzUZgnKIR36mLOHpQ/2JCXxhXZYUWHzy0kMH54JcUEeksFWBYLGvLjV1phbcUIc3Q76tIuqApY6E222OoZZQIDAQAB",
);
const answer =
  '{"alipay_open_file_upload_response":{"code":"10000","msg":"Success","file_id":"CAxAToWB1JsAAAAAAAAAAAAADgSLAQBr"},"sign":"F+LDzpTNiavn7xVZPGuPCSSVRSmWzJGgtuji6tVELGEaqMaNj0jRKXUEr5nloZJBBmwEnddOyCjjepMmrTKTvoOqQ0Efxpr/R1iEeHTHVbb/Q8TTh6Up5gHJDkILdaWS2q1cWeQ6VT+HQY9P3WRXS7uhILHuDODIhpAyCu5KhWGt0rMCIG+Im6NODJP2oohtSCtmTFXg58HH587Z2y2bdbjzOxLvzD9IrU1imghXQ2S/Q+wMIvRk9on6cWnBLkrNvJKapA2ReNGWOwyuASvB9zDVzhMPbR+3mfRGkVDxsq5HYLjBKGskJMXHw0HuugZij6ScRuaLPODhmHwr/pJ9yw=="}';

test("a notice that Alipay sent is verified after its form was decoded once, and isn't if one letter differs", () => {
  const form = readForm(Buffer.from(new URLSearchParams(notice).toString()));
  if (form === null) throw new Error("no form");
  expect(form.get("subject")).toBe(notice["subject"]);
  expect(isSignedBy(callbackContent(form), notice["sign"] ?? "", noticeKey)).toBe(true);
  expect(isSignedBy(callbackContent(new Map([...form, ["total_amount", "0.11"]])), notice["sign"] ?? "", noticeKey)).toBe(false);
});

test("a response that Alipay gave is verified over its own bytes, and isn't if it is serialized again", () => {
  const text = memberText(answer, "alipay_open_file_upload_response") ?? "";
  const { sign } = JSON.parse(answer);
  expect(isSignedBy(text, sign, answerKey)).toBe(true);
  expect(isSignedBy(JSON.stringify(JSON.parse(text), null, 1), sign, answerKey)).toBe(false);
});

const appCertificate = `-----BEGIN CERTIFICATE-----
MIIEsTCCA5mgAwIBAgIQICAFGGIDnUCQiXuk1RwhJjANBgkqhkiG9w0BAQsFADCBgjELMAkGA1UE
BhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNVBAsMF0NlcnRpZmljYXRpb24gQXV0
aG9yaXR5MTkwNwYDVQQDDDBBbnQgRmluYW5jaWFsIENlcnRpZmljYXRpb24gQXV0aG9yaXR5IENs
YXNzIDEgUjEwHhcNMjAwNTE4MDUyODQ3WhcNMjIwNTE4MDUyODQ3WjB5MQswCQYDVQQGEwJDTjEt
MCsGA1UECgwk5p2t5bee54SV5pet5L+h5oGv5oqA5pyv5pyJ6ZmQ5YWs5Y+4MQ8wDQYDVQQLDAZB
bGlwYXkxKjAoBgNVBAMMITIwODg4MzEyMDQ2NTkyMTctMjAyMTAwMTE2MTY4Mzc3NDCCASIwDQYJ
KoZIhvcNAQEBBQADggEPADCCAQoCggEBAJxb57A3/QC/2oDPcZrqWKPs/2qjVlY/x00s3OWa0Cnh
ftO/4tk33cuVEwaQW7b/KbeyfmZ7p8SoxJ9UBDASDACq4TGgR0hFFIIT1FCjeUe8owXyaQsjbKL/
6woXKHHOAaNCY42d9uKZ0ZAyeyX4gF+eEWVmobkDjUAYi6FdL/zyogbrKrYFibmKbTjuVocvlZN2
2R6CEJHCSnc3lw+Ya9NVe7DDx05B8MUQMPBZe9ZhvQb2D75bniV1i4clv/lezKdWyT//d/dIpGVx
4tt92bMwt//UeFG2jLTWJG6h9bv6RCp4O7NFwE4IVMsJhoFTQKEatBx5wsfbYUC3Ivuo2/MCAwEA
AaOCASkwggElMB8GA1UdIwQYMBaAFHEH4gRhFuTl8mXrMQ/J4PQ8mtWRMB0GA1UdDgQWBBSXl4+T
1U+ja4hCST3DlTQAAKQ/tTBABgNVHSAEOTA3MDUGB2CBHAFuAQEwKjAoBggrBgEFBQcCARYcaHR0
cDovL2NhLmFsaXBheS5jb20vY3BzLnBkZjAOBgNVHQ8BAf8EBAMCBsAwLwYDVR0fBCgwJjAkoCKg
IIYeaHR0cDovL2NhLmFsaXBheS5jb20vY3JsNDEuY3JsMGAGCCsGAQUFBwEBBFQwUjAoBggrBgEF
BQcwAoYcaHR0cDovL2NhLmFsaXBheS5jb20vY2E2LmNlcjAmBggrBgEFBQcwAYYaaHR0cDovL2Nh
LmFsaXBheS5jb206ODM0MC8wDQYJKoZIhvcNAQELBQADggEBALeeTrnXKUYapQ/ig9MB4h9KoP3g
27BVJwOxYaIqWxm6iDvOr/Ju+/8QKygnH6dM3+6+pShCdHsCFaSAQM4gUwxS4F1PcISjKs3LQ6Q8
eWHZMV9w292DOzFRNUoMmgI2yAGOW6DxmnNDFxbVjzcABsrjOmoqso5c4y82K7cl9AfvTm+ThOC3
wPQqTiLOZ6xoSL8pO4V+BkPrJTKJNqX0cVPm+QLP+TC411GTjrmz2nv1OPEVSTey5HaB6HWQeDz7
hGnbipZswfCRHRiu42+4pQZw+3rQ6uRzSPMpxgk7RaBWexybrqRk6ZfyXMcxJvNDWWk/EQlzLL8S
RuJzW8kcFrE=
-----END CERTIFICATE-----`;
const theirCertificate = `-----BEGIN CERTIFICATE-----
MIIDsjCCApqgAwIBAgIQICAFFOY8L+BNU4cW/iE1izANBgkqhkiG9w0BAQsFADCBgjELMAkGA1UE
BhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNVBAsMF0NlcnRpZmljYXRpb24gQXV0
aG9yaXR5MTkwNwYDVQQDDDBBbnQgRmluYW5jaWFsIENlcnRpZmljYXRpb24gQXV0aG9yaXR5IENs
YXNzIDIgUjEwHhcNMjAwNTE0MTQ0MjAxWhcNMjIwNTE0MTQ0MjAxWjCBkjELMAkGA1UEBhMCQ04x
LTArBgNVBAoMJOadreW3nueEleaXreS/oeaBr+aKgOacr+aciemZkOWFrOWPuDEPMA0GA1UECwwG
QWxpcGF5MUMwQQYDVQQDDDrmlK/ku5jlrp0o5Lit5Zu9Kee9kee7nOaKgOacr+aciemZkOWFrOWP
uC0yMDg4ODMxMjA0NjU5MjE3MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAhoVesfcG
vUv1XvUndmX0rmSZ/2posJBCooySbSVFpV79RtHMzrVz2aKkC3WvOXeT5iNeQK4mK8gp3vNkWrHT
kQGx5BcmkeO1WS384CQde7dAS0gmxeFs5bs+cCQqV2A2c2R9/5rJMtFtp1Ot/rIiMBUn6Ei0Uozt
M7AneavqQEzSwYlCKNhPFFtHCiz7u4O5R9CIyvUmYr+zpem2HXBN9ygPAZ0aXBQipGbc45+G07ZC
NsmY4hV/Igya1aBf+Ye8p10Ew8uBBri0sIknhSC2LqKKy2IH1fO6q1d1jhN240QRHvbpRNv60kAf
ZsEulBASBrCMBi49NiJyr5nre7SNywIDAQABoxIwEDAOBgNVHQ8BAf8EBAMCA/gwDQYJKoZIhvcN
AQELBQADggEBAEx9T99X9NhDZYXDftc0wH0Tc5OVRIqWTYBN/KEP1df+Ix5djcDrUUcXJMvprMw3
frUymgJsf7YUgZ1+dMz+Gup5dCH3qUu/5c9R3d8senb4wCiYR2FpJ3WGIONwInNQTs04a2wM4JIM
CdCYWC/H1hdvNl9V4pYeMckTruSnPmJlL6E/pNF5AuIYP5AswZSOhASIQzt5Rr6QDz/YVGi2/6al
5Bknm2f9dmsZbWDapKDrlJ3Ny2B0SZ0H47Y7lRlaVNe+Jj1jsrv16ONk1XLt71jyWyPAIlITLcyX
mMtT1IympPFRxBIngEImjGt6d1VUtkf61Cjpr0bRRDoZXvWRv5U=
-----END CERTIFICATE-----`;
const rootCertificates = `-----BEGIN CERTIFICATE-----
MIIBszCCAVegAwIBAgIIaeL+wBcKxnswDAYIKoEcz1UBg3UFADAuMQswCQYDVQQG
EwJDTjEOMAwGA1UECgwFTlJDQUMxDzANBgNVBAMMBlJPT1RDQTAeFw0xMjA3MTQw
MzExNTlaFw00MjA3MDcwMzExNTlaMC4xCzAJBgNVBAYTAkNOMQ4wDAYDVQQKDAVO
UkNBQzEPMA0GA1UEAwwGUk9PVENBMFkwEwYHKoZIzj0CAQYIKoEcz1UBgi0DQgAE
MPCca6pmgcchsTf2UnBeL9rtp4nw+itk1Kzrmbnqo05lUwkwlWK+4OIrtFdAqnRT
V7Q9v1htkv42TsIutzd126NdMFswHwYDVR0jBBgwFoAUTDKxl9kzG8SmBcHG5Yti
W/CXdlgwDAYDVR0TBAUwAwEB/zALBgNVHQ8EBAMCAQYwHQYDVR0OBBYEFEwysZfZ
MxvEpgXBxuWLYlvwl3ZYMAwGCCqBHM9VAYN1BQADSAAwRQIgG1bSLeOXp3oB8H7b
53W+CKOPl2PknmWEq/lMhtn25HkCIQDaHDgWxWFtnCrBjH16/W3Ezn7/U/Vjo5xI
pDoiVhsLwg==
-----END CERTIFICATE-----

-----BEGIN CERTIFICATE-----
MIIF0zCCA7ugAwIBAgIIH8+hjWpIDREwDQYJKoZIhvcNAQELBQAwejELMAkGA1UE
BhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNVBAsMF0NlcnRpZmlj
YXRpb24gQXV0aG9yaXR5MTEwLwYDVQQDDChBbnQgRmluYW5jaWFsIENlcnRpZmlj
YXRpb24gQXV0aG9yaXR5IFIxMB4XDTE4MDMyMTEzNDg0MFoXDTM4MDIyODEzNDg0
MFowejELMAkGA1UEBhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNV
BAsMF0NlcnRpZmljYXRpb24gQXV0aG9yaXR5MTEwLwYDVQQDDChBbnQgRmluYW5j
aWFsIENlcnRpZmljYXRpb24gQXV0aG9yaXR5IFIxMIICIjANBgkqhkiG9w0BAQEF
AAOCAg8AMIICCgKCAgEAtytTRcBNuur5h8xuxnlKJetT65cHGemGi8oD+beHFPTk
rUTlFt9Xn7fAVGo6QSsPb9uGLpUFGEdGmbsQ2q9cV4P89qkH04VzIPwT7AywJdt2
xAvMs+MgHFJzOYfL1QkdOOVO7NwKxH8IvlQgFabWomWk2Ei9WfUyxFjVO1LVh0Bp
dRBeWLMkdudx0tl3+21t1apnReFNQ5nfX29xeSxIhesaMHDZFViO/DXDNW2BcTs6
vSWKyJ4YIIIzStumD8K1xMsoaZBMDxg4itjWFaKRgNuPiIn4kjDY3kC66Sl/6yTl
YUz8AybbEsICZzssdZh7jcNb1VRfk79lgAprm/Ktl+mgrU1gaMGP1OE25JCbqli1
Pbw/BpPynyP9+XulE+2mxFwTYhKAwpDIDKuYsFUXuo8t261pCovI1CXFzAQM2w7H
DtA2nOXSW6q0jGDJ5+WauH+K8ZSvA6x4sFo4u0KNCx0ROTBpLif6GTngqo3sj+98
SZiMNLFMQoQkjkdN5Q5g9N6CFZPVZ6QpO0JcIc7S1le/g9z5iBKnifrKxy0TQjtG
PsDwc8ubPnRm/F82RReCoyNyx63indpgFfhN7+KxUIQ9cOwwTvemmor0A+ZQamRe
9LMuiEfEaWUDK+6O0Gl8lO571uI5onYdN1VIgOmwFbe+D8TcuzVjIZ/zvHrAGUcC
AwEAAaNdMFswCwYDVR0PBAQDAgEGMAwGA1UdEwQFMAMBAf8wHQYDVR0OBBYEFF90
tATATwda6uWx2yKjh0GynOEBMB8GA1UdIwQYMBaAFF90tATATwda6uWx2yKjh0Gy
nOEBMA0GCSqGSIb3DQEBCwUAA4ICAQCVYaOtqOLIpsrEikE5lb+UARNSFJg6tpkf
tJ2U8QF/DejemEHx5IClQu6ajxjtu0Aie4/3UnIXop8nH/Q57l+Wyt9T7N2WPiNq
JSlYKYbJpPF8LXbuKYG3BTFTdOVFIeRe2NUyYh/xs6bXGr4WKTXb3qBmzR02FSy3
IODQw5Q6zpXj8prYqFHYsOvGCEc1CwJaSaYwRhTkFedJUxiyhyB5GQwoFfExCVHW
05ZFCAVYFldCJvUzfzrWubN6wX0DD2dwultgmldOn/W/n8at52mpPNvIdbZb2F41
T0YZeoWnCJrYXjq/32oc1cmifIHqySnyMnavi75DxPCdZsCOpSAT4j4lAQRGsfgI
kkLPGQieMfNNkMCKh7qjwdXAVtdqhf0RVtFILH3OyEodlk1HYXqX5iE5wlaKzDop
PKwf2Q3BErq1xChYGGVS+dEvyXc/2nIBlt7uLWKp4XFjqekKbaGaLJdjYP5b2s7N
1dM0MXQ/f8XoXKBkJNzEiM3hfsU6DOREgMc1DIsFKxfuMwX3EkVQM1If8ghb6x5Y
jXayv+NLbidOSzk4vl5QwngO/JYFMkoc6i9LNwEaEtR9PhnrdubxmrtM+RjfBm02
77q3dSWFESFQ4QxYWew4pHE0DpWbWy/iMIKQ6UZ5RLvB8GEcgt8ON7BBJeMc+Dyi
kT9qhqn+lw==
-----END CERTIFICATE-----

-----BEGIN CERTIFICATE-----
MIICiDCCAgygAwIBAgIIQX76UsB/30owDAYIKoZIzj0EAwMFADB6MQswCQYDVQQG
EwJDTjEWMBQGA1UECgwNQW50IEZpbmFuY2lhbDEgMB4GA1UECwwXQ2VydGlmaWNh
dGlvbiBBdXRob3JpdHkxMTAvBgNVBAMMKEFudCBGaW5hbmNpYWwgQ2VydGlmaWNh
dGlvbiBBdXRob3JpdHkgRTEwHhcNMTkwNDI4MTYyMDQ0WhcNNDkwNDIwMTYyMDQ0
WjB6MQswCQYDVQQGEwJDTjEWMBQGA1UECgwNQW50IEZpbmFuY2lhbDEgMB4GA1UE
CwwXQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkxMTAvBgNVBAMMKEFudCBGaW5hbmNp
YWwgQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkgRTEwdjAQBgcqhkjOPQIBBgUrgQQA
IgNiAASCCRa94QI0vR5Up9Yr9HEupz6hSoyjySYqo7v837KnmjveUIUNiuC9pWAU
WP3jwLX3HkzeiNdeg22a0IZPoSUCpasufiLAnfXh6NInLiWBrjLJXDSGaY7vaokt
rpZvAdmjXTBbMAsGA1UdDwQEAwIBBjAMBgNVHRMEBTADAQH/MB0GA1UdDgQWBBRZ
4ZTgDpksHL2qcpkFkxD2zVd16TAfBgNVHSMEGDAWgBRZ4ZTgDpksHL2qcpkFkxD2
zVd16TAMBggqhkjOPQQDAwUAA2gAMGUCMQD4IoqT2hTUn0jt7oXLdMJ8q4vLp6sg
wHfPiOr9gxreb+e6Oidwd2LDnC4OUqCWiF8CMAzwKs4SnDJYcMLf2vpkbuVE4dTH
Rglz+HGcTLWsFs4KxLsq7MuU+vJTBUeDJeDjdA==
-----END CERTIFICATE-----

-----BEGIN CERTIFICATE-----
MIIDxTCCAq2gAwIBAgIUEMdk6dVgOEIS2cCP0Q43P90Ps5YwDQYJKoZIhvcNAQEF
BQAwajELMAkGA1UEBhMCQ04xEzARBgNVBAoMCmlUcnVzQ2hpbmExHDAaBgNVBAsM
E0NoaW5hIFRydXN0IE5ldHdvcmsxKDAmBgNVBAMMH2lUcnVzQ2hpbmEgQ2xhc3Mg
MiBSb290IENBIC0gRzMwHhcNMTMwNDE4MDkzNjU2WhcNMzMwNDE4MDkzNjU2WjBq
MQswCQYDVQQGEwJDTjETMBEGA1UECgwKaVRydXNDaGluYTEcMBoGA1UECwwTQ2hp
bmEgVHJ1c3QgTmV0d29yazEoMCYGA1UEAwwfaVRydXNDaGluYSBDbGFzcyAyIFJv
b3QgQ0EgLSBHMzCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAOPPShpV
nJbMqqCw6Bz1kehnoPst9pkr0V9idOwU2oyS47/HjJXk9Rd5a9xfwkPO88trUpz5
4GmmwspDXjVFu9L0eFaRuH3KMha1Ak01citbF7cQLJlS7XI+tpkTGHEY5pt3EsQg
wykfZl/A1jrnSkspMS997r2Gim54cwz+mTMgDRhZsKK/lbOeBPpWtcFizjXYCqhw
WktvQfZBYi6o4sHCshnOswi4yV1p+LuFcQ2ciYdWvULh1eZhLxHbGXyznYHi0dGN
z+I9H8aXxqAQfHVhbdHNzi77hCxFjOy+hHrGsyzjrd2swVQ2iUWP8BfEQqGLqM1g
KgWKYfcTGdbPB1MCAwEAAaNjMGEwHQYDVR0OBBYEFG/oAMxTVe7y0+408CTAK8hA
uTyRMB8GA1UdIwQYMBaAFG/oAMxTVe7y0+408CTAK8hAuTyRMA8GA1UdEwEB/wQF
MAMBAf8wDgYDVR0PAQH/BAQDAgEGMA0GCSqGSIb3DQEBBQUAA4IBAQBLnUTfW7hp
emMbuUGCk7RBswzOT83bDM6824EkUnf+X0iKS95SUNGeeSWK2o/3ALJo5hi7GZr3
U8eLaWAcYizfO99UXMRBPw5PRR+gXGEronGUugLpxsjuynoLQu8GQAeysSXKbN1I
UugDo9u8igJORYA+5ms0s5sCUySqbQ2R5z/GoceyI9LdxIVa1RjVX8pYOj8JFwtn
DJN3ftSFvNMYwRuILKuqUYSHc2GPYiHVflDh5nDymCMOQFcFG3WsEuB+EYQPFgIU
1DHmdZcz7Llx8UOZXX2JupWCYzK1XhJb+r4hK5ncf/w8qGtYlmyJpxk3hr1TfUJX
Yf4Zr0fJsGuv
-----END CERTIFICATE-----`;

test("certificates have the serial numbers that Alipay gives them, and of the roots only those signed with RSA count", () => {
  const namesOf = (text: string) => (readCertificates(text) ?? []).map(certificateSn);
  expect(namesOf(appCertificate)).toEqual(["866efef280dec9137a87d047ac446315"]);
  expect(namesOf(theirCertificate)).toEqual(["7513daaaa48aa3ba2e4018d84402479c"]);
  const roots = readCertificates(rootCertificates) ?? [];
  expect(roots).toHaveLength(4);
  expect(rootCertificatesSn(roots)).toBe("687b59193f3f462dd5336e5abf83c5d8_02941eef3187dddf3d3b83462e1dfcf6");
});

test.each([
  ["nothing", "", []],
  ["other text", "hello", []],
  ["a certificate without an end", appCertificate.slice(0, -10), null],
  ["a certificate that is none", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", null],
])("%s isn't a certificate", (_what, text, found) => {
  expect(readCertificates(text)).toEqual(found);
});

const pair = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const signature = signContent("a=1&b=2", pair.privateKey);

test.each([
  ["another text", "a=1&b=3", signature],
  ["no signature", "a=1&b=2", ""],
  ["a short signature", "a=1&b=2", signature.slice(0, 40)],
  ["a signature that is not base64", "a=1&b=2", `*${signature.slice(1)}`],
  ["letters behind the end", "a=1&b=2", `${signature}AA`],
  [
    "another spelling of the same bytes",
    "a=1&b=2",
    `${signature.slice(0, -3)}${String.fromCharCode(signature.charCodeAt(signature.length - 3) + 1)}==`,
  ],
  ["a blank inside", "a=1&b=2", `${signature.slice(0, 8)} ${signature.slice(8)}`],
  ["a megabyte", "a=1&b=2", "A".repeat(1_000_000)],
])("%s isn't signed", (_what, content, given) => {
  expect(isSignedBy("a=1&b=2", signature, pair.publicKey)).toBe(true);
  expect(isSignedBy(content, given, pair.publicKey)).toBe(false);
});

test("a request is signed over its sorted parameters as they are, without empty ones", () => {
  expect(requestContent({ sign: "x", sign_type: "RSA2", biz_content: '{"a":"50% + 茶 &"}', app_id: "1", notify_url: "" })).toBe(
    'app_id=1&biz_content={"a":"50% + 茶 &"}&sign_type=RSA2',
  );
});

test.each([
  ["with blanks", '{ "a" : {"x":"}\\"{"} , "sign":"s" }', '{"x":"}\\"{"}'],
  ["last", '{"sign":"s","a":{"x":[1,{"a":2}]}}', '{"x":[1,{"a":2}]}'],
  ["of its own name inside", '{"b":{"a":1},"a":{"a":2}}', '{"a":2}'],
  ["that stands twice", '{"a":{"x":1},"a":{"x":2}}', null],
  ["that is missing", '{"b":{"a":1}}', null],
])("a member %s is found in the text as written there", (_what, json, text) => {
  expect(memberText(json, "a")).toBe(text);
});
