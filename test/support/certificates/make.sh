#!/bin/sh
# Recreates the certificates in this folder with OpenSSL 3 and discards their keys.
set -e
cd "$(dirname "$0")"
keys=$(mktemp -d)
trap 'rm -r "$keys"' EXIT

key() { openssl genpkey -quiet -out "$keys/$1.key" -algorithm "$2" ${3:+-pkeyopt "$3"}; }
signed() { name=$1 && shift && openssl req -x509 -new -key "$keys/$name.key" -days 3650 -config /dev/null "$@"; }

key rsa RSA rsa_keygen_bits:2048
key ec EC ec_paramgen_curve:P-256
key ed25519 ED25519

signed rsa -subj "/C=PT/O=Example/OU=Root/CN=Example RSA Root" -addext basicConstraints=critical,CA:true \
  -addext keyUsage=critical,keyCertSign,cRLSign -addext extendedKeyUsage=clientAuth,serverAuth,1.3.6.1.4.1.311.20.2.2 > rsa.pem
signed ec -utf8 -subj "/CN=first/O=Exämple/CN=Exämple EC" -addext basicConstraints=critical,CA:true,pathlen:1 |
  openssl x509 -text > ec_with_text.pem
signed ed25519 -subj "/O=Example" -addext basicConstraints=CA:true > ed25519.pem
signed ec -subj "/CN=leaf" -addext basicConstraints=CA:false > leaf.pem
signed ec -subj "/CN=no constraints" -addext keyUsage=keyCertSign > no_constraints.pem
openssl req -new -key "$keys/ec.key" -subj "/CN=version 1" -config /dev/null |
  openssl x509 -req -days 3650 -signkey "$keys/ec.key" -out version_1.pem 2> /dev/null
openssl req -new -key "$keys/ec.key" -subj "/CN=request" -config /dev/null > request.pem
