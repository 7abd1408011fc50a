import { currencyCodes } from './exchange-rates.js';
import { serviceNamespace } from './soap-answers.js';

const HTTP_TRANSPORT = 'http://schemas.xmlsoap.org/soap/http';

export function wsdl(serviceUrl: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/"
  xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:s="http://www.w3.org/2001/XMLSchema"
  xmlns:tns="${serviceNamespace}" targetNamespace="${serviceNamespace}">
  <wsdl:types>
    <s:schema elementFormDefault="qualified" targetNamespace="${serviceNamespace}">
      <s:element name="ConversionRate"><s:complexType><s:sequence>
        <s:element name="FromCurrency" type="tns:Currency"/>
        <s:element name="ToCurrency" type="tns:Currency"/>
      </s:sequence></s:complexType></s:element>
      <s:simpleType name="Currency"><s:restriction base="s:string">
${currencyCodes.map((code) => `        <s:enumeration value="${code}"/>`).join('\n')}
      </s:restriction></s:simpleType>
      <s:element name="ConversionRateResponse"><s:complexType><s:sequence>
        <s:element name="ConversionRateResult" type="s:double"/>
      </s:sequence></s:complexType></s:element>
      <s:element name="double" type="s:double"/>
    </s:schema>
  </wsdl:types>
  <wsdl:message name="ConversionRateSoapIn"><wsdl:part name="parameters" element="tns:ConversionRate"/></wsdl:message>
  <wsdl:message name="ConversionRateSoapOut"><wsdl:part name="parameters" element="tns:ConversionRateResponse"/></wsdl:message>
  <wsdl:message name="ConversionRateHttpIn"><wsdl:part name="FromCurrency" type="s:string"/><wsdl:part name="ToCurrency" type="s:string"/></wsdl:message>
  <wsdl:message name="ConversionRateHttpOut"><wsdl:part name="Body" element="tns:double"/></wsdl:message>
${portType('Soap', 'Soap')}
${portType('HttpGet', 'Http')}
${portType('HttpPost', 'Http')}
${soapBinding('Soap', 'soap')}
${soapBinding('Soap12', 'soap12')}
${httpBinding('HttpGet', 'GET', '<http:urlEncoded/>')}
${httpBinding('HttpPost', 'POST', '<mime:content type="application/x-www-form-urlencoded"/>')}
  <wsdl:service name="CurrencyConvertor">
${port('Soap', 'soap', serviceUrl)}
${port('Soap12', 'soap12', serviceUrl)}
${port('HttpGet', 'http', serviceUrl)}
${port('HttpPost', 'http', serviceUrl)}
  </wsdl:service>
</wsdl:definitions>
`;
}

function portType(name: string, messages: string): string {
  return `  <wsdl:portType name="CurrencyConvertor${name}"><wsdl:operation name="ConversionRate">
    <wsdl:input message="tns:ConversionRate${messages}In"/><wsdl:output message="tns:ConversionRate${messages}Out"/>
  </wsdl:operation></wsdl:portType>`;
}

function soapBinding(name: string, prefix: string): string {
  return `  <wsdl:binding name="CurrencyConvertor${name}" type="tns:CurrencyConvertorSoap">
    <${prefix}:binding transport="${HTTP_TRANSPORT}"/>
    <wsdl:operation name="ConversionRate">
      <${prefix}:operation soapAction="${serviceNamespace}/ConversionRate" style="document"/>
      <wsdl:input><${prefix}:body use="literal"/></wsdl:input><wsdl:output><${prefix}:body use="literal"/></wsdl:output>
    </wsdl:operation>
  </wsdl:binding>`;
}

function httpBinding(name: string, verb: string, input: string): string {
  return `  <wsdl:binding name="CurrencyConvertor${name}" type="tns:CurrencyConvertor${name}">
    <http:binding verb="${verb}"/>
    <wsdl:operation name="ConversionRate">
      <http:operation location="/ConversionRate"/>
      <wsdl:input>${input}</wsdl:input><wsdl:output><mime:mimeXml part="Body"/></wsdl:output>
    </wsdl:operation>
  </wsdl:binding>`;
}

function port(name: string, prefix: string, serviceUrl: string): string {
  return `    <wsdl:port name="CurrencyConvertor${name}" binding="tns:CurrencyConvertor${name}"><${prefix}:address location="${serviceUrl}"/></wsdl:port>`;
}
